/** Which discipline an IFC file is of, by the words in names. */

/** Words in file and project names → discipline. */
const DISCIPLINES: readonly [words: RegExp, discipline: string][] = [
  [/^(arc|arch|architecture|architectural|architectuur|bouwkundig)$/, 'architectural'],
  [/^(str|struc|struct|structure|structural|constructie|tragwerk)$/, 'structural'],
  [/^(hvac|mech|mechanical|ventilation)$/, 'hvac'],
  [/^(ele|elec|electrical|electric|elektro)$/, 'electrical'],
  [/^(plu|plumb|plumbing|sanitary|sanitair)$/, 'plumbing'],
  [/^(spr|sprinkler|sprinklers|fire)$/, 'sprinklers'],
  [/^(mep|tga)$/, 'mep'],
  [/^(civ|civil|infra)$/, 'civil'],
];

/** The discipline that a word of the file's name speaks of, or else of the project's; else the file's name. */
export function disciplineOf(stem: string, projectName: string): string {
  for (const name of [stem, projectName]) {
    const words = name
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[^a-z]+/);
    for (const [pattern, discipline] of DISCIPLINES) {
      if (words.some((word) => pattern.test(word))) return discipline;
    }
  }
  return stem;
}
