// The pages of the documentation site, in the order in which a newcomer reads them.
export const START = 'README.md';

/** Sections of the navigation → their pages. Every document of docs/ is on this list once. */
export const SECTIONS = {
  Start: ['docs/start.md'],
  Guides: ['docs/coordination.md', 'docs/judged-clashes.md', 'docs/developing.md', 'docs/team.md'],
  'How it works': [
    'docs/concepts.md',
    'docs/check.md',
    'docs/numerics.md',
    'docs/hierarchies.md',
    'docs/store.md',
    'docs/levels.md',
    'docs/draw.md',
    'docs/time-of-impact.md',
    'docs/deform.md',
    'docs/dynamics.md',
    'docs/levels-of-contact.md',
    'docs/gpu.md',
    'docs/motion.md',
    'docs/papers.md',
    'docs/benchmarks.md',
    'docs/decisions.md',
    'ARCHITECTURE.md',
  ],
  Reference: [
    'docs/command.md',
    'docs/formats.md',
    'docs/rules.md',
    'docs/review.md',
    'docs/viewer.md',
    'docs/ci.md',
    'docs/service.md',
    'docs/scale.md',
    'docs/agents.md',
    'docs/api-overview.md',
    'docs/queries.md',
    'docs/three.md',
    'docs/api/impinge.md',
    'docs/api/impinge-model.md',
    'docs/api/impinge-dynamics.md',
    'docs/api/impinge-gpu.md',
    'docs/api/impinge-motion.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'CHANGELOG.md',
  ],
};

export const PAGES = Object.values(SECTIONS).flat();
