/** Which keys are held down, by their codes; buttons with `data-key` count as the key they name. */
const ARROWS: Readonly<Record<string, string>> = {
  ArrowUp: 'KeyW',
  ArrowDown: 'KeyS',
  ArrowLeft: 'KeyA',
  ArrowRight: 'KeyD',
};

export function keysHeld(): ReadonlySet<string> {
  const held = new Set<string>();
  addEventListener('keydown', (event) => {
    held.add(ARROWS[event.code] ?? event.code);
    if (event.code === 'Space' || event.code in ARROWS) event.preventDefault();
  });
  addEventListener('keyup', ({ code }) => held.delete(ARROWS[code] ?? code));
  addEventListener('blur', () => held.clear());
  for (const button of document.querySelectorAll<HTMLElement>('[data-key]')) {
    const key = button.dataset['key']!;
    button.addEventListener('pointerdown', () => held.add(key));
    for (const end of ['pointerup', 'pointerleave', 'pointercancel']) {
      button.addEventListener(end, () => held.delete(key));
    }
  }
  return held;
}
