/** Downloads a file in the browser. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // browsers read it after the click
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
