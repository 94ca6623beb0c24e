import type { Family, Program } from '../program.ts'

const client: Program = { obeysInput: true }

/** Clients of databases. Their own commands act on this machine, not in the database. */
export const databases: Family = {
  sqlite3: { ...client, runs: /^--?(cmd|init)/, obeys: (word) => word.split('\n').some(isDotCommand) },
  psql: { ...client, obeys: holdsPsqlCommand },
  'mysql mariadb redis-cli mongo mongosh': client,
}

/** Beginnings of dot commands that run programs or open files: `.shell`, `.system`, `.import`, `.open`, `.load`, `.read` … */
const acting = ['sh', 'sy', 'i', 'o', 'l', 'e', 'r']
/** Exceptions: `.indexes`, `.limit`, `.lint`, `.exit`. */
const harmless = ['ind', 'li', 'exit']

function isDotCommand(line: string): boolean {
  const text = line.trimStart()
  const begins = (name: string) => text.startsWith(`.${name}`)
  return acting.some(begins) && !harmless.some(begins)
}

/** `\!` runs a command; `\g`, `\i`, `\o`, `\w` and `\copy` take a file or a command. They may stand anywhere. */
const backslashed = ['!', 'g', 'i', 'o', 'w', 'copy']

function holdsPsqlCommand(word: string): boolean {
  const text = word.toLowerCase()
  return backslashed.some((name) => text.includes(`\\${name}`)) || copiesProgram(text)
}

/** Whether a `COPY … PROGRAM` runs the string after it: `'…'`, `$$…$$` or `e'…'`. */
function copiesProgram(text: string): boolean {
  const [, ...after] = text.split('program')
  return after.some((rest) => /^['$e]/.test(rest.trimStart()))
}
