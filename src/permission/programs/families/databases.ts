import type { Field } from '../../bash/fields.ts'
import { saysIf } from '../dangers.ts'
import type { Family, Program } from '../program.ts'
import { filesNamedBy, hasWord } from '../word-fields.ts'

const client: Program = { obeysInput: true }
const emptied = saysIf(/\b(drop|truncate|delete\s+from)\b/i, 'deletes data in a database')

/** Clients of databases. Their own commands act on this machine, not in the database. */
export const databases: Family = {
  sqlite3: {
    ...client,
    valued: /^--?(cmd|init|separator|newline|nullvalue|mmap|vfs|maxsize|heap)$/,
    writes: (args, operands) => [
      ...changedDatabase(args, operands),
      ...args.flatMap((word) => filesNamedBy(writtenBySqlite, word)),
    ],
    mayRead: (args) => args.flatMap((word) => [...word.matchAll(readBySqlite)].map(([, file = '']) => file)),
    danger: emptied,
    runs: /^(--?(cmd|init)|-A)/,
    obeys: holdsSqliteCommand,
  },
  duckdb: {
    ...client,
    valued: /^--?(c|s|cmd|init|f|separator|newline|nullvalue)$/,
    writes: (args, operands) => [
      ...changedDatabase(args, operands),
      ...args.flatMap((word) => filesNamedBy(/\bto\s+'([^']+)'/gi, word)),
    ],
    mayRead: (args) => args.flatMap((word) => [...word.matchAll(/'([^']+)'/g)].map(([, file = '']) => file)),
    danger: emptied,
    runs: /^--?(cmd|init)/,
    obeys: holdsSqliteCommand,
  },
  // An output file may be a program: `-o '|x'`.
  psql: {
    ...client,
    outputs: /^(-[AabeEHlnqsStXxz1]*[oL]|--(o[a-z]*|log[a-z-]*)(?==|$))/,
    writes: (args) => args.flatMap((word) => filesNamedBy(writtenByPsql, word)),
    danger: emptied,
    runs: /^(-[AabeEHlnqsStXxz1]*o|--o[a-z]*)/,
    obeys: holdsPsqlCommand,
  },
  'mysql mariadb': {
    ...client,
    mayRead: (args) =>
      args.flatMap((word) => [...word.matchAll(/\binfile\s+["']([^"']+)/gi)].map(([, file = '']) => file)),
    danger: emptied,
    runs: /^--(pag|te|plugin-d|defaults-(f|e))[a-z-]*/,
    obeys: holdsMysqlCommand,
  },
  'redis-cli': { ...client, outputs: /^--rdb/ },
  'mongo mongosh': client,
  'pg_dump pg_dumpall pg_restore': { outputs: /^(-(F.)?f|--fi[a-z]*(?==|$))/ },
  mysqldump: { outputs: /^(-[rT]|--(res|tab)[a-z-]*)/ },
}

/** One statement that leaves a database as it is. */
const onlyShows =
  /^\s*(select|explain|values|\.(schema|tables|indexes|databases|dump|fullschema)\b)[^;]*;?\s*$/i

/** The database of `sqlite3`, unless all its statements are seen to leave it as it is. */
function changedDatabase(
  args: readonly Field[],
  [database, ...statements]: readonly Field[],
): readonly Field[] {
  if (database === undefined || hasWord(args, /^--?readonly$/)) return []
  const isRead = statements.length > 0 && statements.every(({ text, known }) => known && onlyShows.test(text))
  return isRead ? [] : [database]
}

/** `.output FILE`, `.backup FILE`, `vacuum into 'FILE'`, `writefile('FILE', …)`. */
const writtenBySqlite =
  /(?:(?<=^[ \t]*)\.(?:o[a-z]*|ba[a-z]*|sa[a-z]*|cl[a-z]*|log|tr[a-z]*)[ \t](?:.*[ \t])?["']?|\binto[ \t]*'|\bwritefile\s*\([ \t]*')([^\s"']+)/gim

const readBySqlite = /\breadfile\s*\(\s*'([^']+)'/gi

/** `\o FILE`, `\g FILE`, `\w FILE`, `\copy … to 'FILE'`. */
const writtenByPsql = /\\(?:o|out|g|gx|w|write|copy\b.*\bto)[ \t]+'?([^\s|\\;']+)/gi

/**
 * Beginnings of dot commands that run programs or open files: `.shell`, `.system`, `.import`, `.open`, `.load`, `.excel`, `.read`,
 * `.archive`, `.backup`, `.clone`, `.save` …
 */
const acting = ['sh', 'sy', 'i', 'o', 'l', 'e', 'r', 'ar', 'ba', 'cl', 'sa']
/** Those among them that do neither: `.indexes`, `.limit`, `.lint`, `.exit`. */
const harmless = ['ind', 'li', 'exit']

/** SQL functions of the client that run a program, load a library or open a file. */
const actingFunctions = /\b(edit|load_extension|readfile|writefile|fsdir)["`\]]?\s*(\/\*|--|\()/i

function holdsSqliteCommand(word: string): boolean {
  return word.split('\n').some(isDotCommand) || actingFunctions.test(word)
}

function isDotCommand(line: string): boolean {
  const text = line.trimStart()
  const begins = (name: string) => text.startsWith(`.${name}`)
  return acting.some(begins) && !harmless.some(begins)
}

/** `\! id`, and at the start of a statement `system id`. Others take a file, a pager or an editor. */
function holdsMysqlCommand(word: string): boolean {
  return /\\[!.TPe]|(^|[\n;=])\s*(system|source|tee|pager|edit)\b/i.test(word)
}

/**
 * `\!` runs a command, `\e`, `\ef` and `\ev` an editor, `\setenv` names one or a pager; `\g`, `\i`, `\o`, `\w`, `\copy` and `\lo_…`
 * take a file or a command. They may stand anywhere.
 */
const backslashed = ['!', 'g', 'i', 'o', 'w', 'copy', 'setenv', 'lo_']
const editing = /\\e(dit|f|v)?(?![a-z])/

function holdsPsqlCommand(word: string): boolean {
  const text = word.toLowerCase()
  const isActing = backslashed.some((name) => text.includes(`\\${name}`)) || editing.test(text)
  // The shell runs what stands in backquotes after any of these commands.
  const holdsShell = text.includes('\\') && text.indexOf('\\') < text.lastIndexOf('`')
  return isActing || holdsShell || copiesProgram(text)
}

/** Whether a `COPY … PROGRAM` runs the string after it. */
function copiesProgram(text: string): boolean {
  return text.includes('program') && /\bcopy\b/.test(text.slice(0, text.lastIndexOf('program')))
}
