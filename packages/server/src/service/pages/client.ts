/** The script of the pages. Its source text is served, so it must not refer to anything outside itself. */
export function runInPage(): void {
  const csrf = document.querySelector<HTMLMetaElement>('meta[name=csrf]')?.content ?? '';

  /** Follows an active run, and reloads the page when its state changes. */
  const followed = document.querySelector<HTMLElement>('[data-events]');
  if (followed) {
    const bar = followed.querySelector('progress');
    const text = followed.querySelector('[data-progress]');
    const state = followed.dataset['state'];
    const source = new EventSource(followed.dataset['events']!);
    source.addEventListener('progress', (event) => {
      const { label, share, text: more } = JSON.parse((event as MessageEvent<string>).data);
      if (bar) bar.value = share;
      if (text) text.textContent = `${label} ${Math.round(100 * share)} %${more ? `, ${more}` : ''}`;
    });
    source.addEventListener('run', (event) => {
      if (JSON.parse((event as MessageEvent<string>).data).state === state) return;
      source.close();
      location.reload();
    });
  }

  /** Uploads models one after the other. */
  const upload = document.querySelector<HTMLFormElement>('form[data-upload]');
  upload?.addEventListener('submit', async (event) => {
    event.preventDefault();
    const said = upload.querySelector('[data-said]')!;
    const files = upload.querySelector<HTMLInputElement>('input[type=file]')!.files ?? [];
    for (const file of files) {
      said.textContent = `${file.name} …`;
      try {
        const answer = await fetch(upload.dataset['upload'] + encodeURIComponent(file.name), {
          method: 'PUT',
          body: file,
          headers: { 'X-CSRF-Token': csrf },
        });
        if (!answer.ok) throw new Error((await answer.json()).error);
      } catch (error) {
        said.textContent = `${file.name}: ${(error as Error).message}`;
        return;
      }
    }
    location.reload();
  });
}
