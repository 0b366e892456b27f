/** Icons of buttons; the buttons have accessible names. */
const PATHS = {
  orbit: 'M12 4a8 8 0 1 0 8 8M12 4a3.5 8 0 1 0 3.5 8M20 4v5h-5',
  walk: 'M13 4.5a1 1 0 1 0 .1 0M10 20l2-6-2-2 1-5 3 1 2 3h3M12 14l3 2 1 4M11 7l-3 2-1 3',
  fly: 'M3 11l18-7-7 17-3-7z',
  fit: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5M9 9h6v6H9z',
  section: 'M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9M2 15L22 9',
  measure: 'M3 16L16 3l5 5L8 21zM7 12l2 2M10 9l2 2M13 6l2 2',
  move: 'M12 3v18M3 12h18M12 3L9 6M12 3l3 3M12 21l-3-3M12 21l3-3M3 12l3-3M3 12l3 3M21 12l-3-3M21 12l-3 3',
  way: 'M5 20a2 2 0 1 0 .1 0M5 16V9a4 4 0 0 1 8 0v6a3 3 0 0 0 6 0V6M16 8l3-3 3 3',
  hide: 'M3 12s3.5-6 9-6 9 6 9 6-3.5 6-9 6-9-6-9-6zM12 9a3 3 0 1 0 .1 0M4 4l16 16',
  show: 'M3 12s3.5-6 9-6 9 6 9 6-3.5 6-9 6-9-6-9-6zM12 9a3 3 0 1 0 .1 0',
  isolate: 'M8 8h8v8H8zM4 4h1M9 4h2M13 4h2M19 4h1M4 9v2M4 13v2M20 9v2M20 13v2M4 20h1M9 20h2M13 20h2M19 20h1',
  ghost: 'M6 20V10a6 6 0 0 1 12 0v10l-2-2-2 2-2-2-2 2-2-2zM10 10v1M14 10v1',
  plan: 'M4 4h16v16H4zM4 12h7M11 4v5M11 16v4M16 20v-8h4',
  theme: 'M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16',
  help: 'M12 3a9 9 0 1 0 .1 0M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7M12 17v.1',
  left: 'M4 5h16v14H4zM9 5v14',
  right: 'M4 5h16v14H4zM15 5v14',
  play: 'M7 4l13 8-13 8z',
  pause: 'M8 5v14M16 5v14',
  next: 'M9 5l7 7-7 7',
  previous: 'M15 5l-7 7 7 7',
  close: 'M6 6l12 12M18 6L6 18',
  search: 'M10 4a6 6 0 1 0 .1 0M15 15l5 5',
  target: 'M12 5a7 7 0 1 0 .1 0M12 2v5M12 17v5M2 12h5M17 12h5',
  matrix: 'M4 4h16v16H4zM4 10h16M4 15h16M10 4v16M15 4v16',
  exchange: 'M7 4v13M7 4L4 7M7 4l3 3M17 20V7M17 20l-3-3M17 20l3-3',
  filter: 'M3 5h18l-7 8v6l-4-2v-4z',
  link: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  up: 'M6 15l6-6 6 6',
  down: 'M6 9l6 6 6-6',
  sort: 'M7 5v14M7 19l-3-3M7 19l3-3M13 6h8M13 11h6M13 16h4',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
