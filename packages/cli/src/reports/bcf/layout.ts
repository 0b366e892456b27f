/** The differences between BCF 2.1 and 3.0: 3.0 wraps every list in its own element, and empty texts are invalid. */
import { document, element, type Xml } from '../xml.js';

export type BcfVersion = '2.1' | '3.0';

export const BCF_VERSIONS: readonly BcfVersion[] = ['2.1', '3.0'];

export interface BcfLayout {
  /** The spelling of the attribute for files outside the archive. */
  readonly isExternal: 'isExternal' | 'IsExternal';
  /** The file that lists the values in use; required since 3.0. */
  readonly extensionsFile: 'extensions.xml' | undefined;
  readonly versionDocument: () => string;
  readonly projectRoot: (project: Xml) => Xml;
  readonly markupRoot: (parts: MarkupParts) => Xml;
  readonly header: (files: readonly Xml[]) => Xml;
  readonly labels: (labels: readonly string[]) => readonly Xml[];
  readonly links: (links: readonly string[]) => readonly Xml[];
  readonly coloured: (components: readonly Xml[]) => readonly Xml[];
  /** Whether hints for a view come before its selection, instead of with its visibility. */
  readonly hintsAreFirst: boolean;
  /** Of perspective cameras, in degrees. */
  readonly fieldsOfView: readonly [least: number, most: number];
  /** Of a camera: width by height. */
  readonly aspectRatio: (ratio: number) => Xml | undefined;
}

export interface MarkupParts {
  readonly header: Xml | undefined;
  /** The attributes and elements of the topic itself, before comments and viewpoints. */
  readonly topic: Parts;
  readonly comments: readonly Xml[];
  readonly viewpoints: readonly Parts[];
}

type Parts = readonly [attributes: Record<string, string>, ...content: (Xml | undefined)[]];

const LAYOUTS: Readonly<Record<BcfVersion, BcfLayout>> = {
  '2.1': {
    isExternal: 'isExternal',
    extensionsFile: undefined,
    versionDocument: () =>
      document(element('Version', { VersionId: '2.1' }, element('DetailedVersion', {}, '2.1'))),
    projectRoot: (project) => element('ProjectExtension', {}, project, element('ExtensionSchema', {})),
    markupRoot: ({ header, topic, comments, viewpoints }) =>
      element(
        'Markup',
        {},
        header,
        element('Topic', ...topic),
        ...comments,
        ...viewpoints.map((one) => element('Viewpoints', ...one)),
      ),
    header: (files) => element('Header', {}, ...files),
    labels: (labels) => labels.map((label) => element('Labels', {}, label)),
    links: (links) => links.map((link) => element('ReferenceLink', {}, link)),
    coloured: (components) => components,
    hintsAreFirst: true,
    fieldsOfView: [45, 60],
    aspectRatio: () => undefined,
  },
  '3.0': {
    isExternal: 'IsExternal',
    extensionsFile: 'extensions.xml',
    versionDocument: () => document(element('Version', { VersionId: '3.0' })),
    projectRoot: (project) => element('ProjectInfo', {}, project),
    markupRoot: ({ header, topic, comments, viewpoints }) =>
      element(
        'Markup',
        {},
        header,
        element(
          'Topic',
          ...topic,
          listed('Comments', comments),
          listed(
            'Viewpoints',
            viewpoints.map((one) => element('ViewPoint', ...one)),
          ),
        ),
      ),
    header: (files) => element('Header', {}, element('Files', {}, ...files)),
    labels: (labels) => [element('Labels', {}, ...labels.map((label) => element('Label', {}, label)))],
    links: (links) =>
      links.length === 0
        ? []
        : [element('ReferenceLinks', {}, ...links.map((link) => element('ReferenceLink', {}, link)))],
    coloured: (components) => [element('Components', {}, ...components)],
    hintsAreFirst: false,
    fieldsOfView: [1, 179],
    aspectRatio: (ratio) => element('AspectRatio', {}, ratio),
  },
};

function listed(name: string, entries: readonly Xml[]): Xml | undefined {
  return entries.length > 0 ? element(name, {}, ...entries) : undefined;
}

export function layoutOf(version: BcfVersion): BcfLayout {
  return LAYOUTS[version];
}
