import { resolve } from 'node:path'
import type { Danger } from '../../interaction.ts'
import { resolvePath } from '../../machine/path.ts'
import type { JudgedLine } from '../command-line.ts'
import { downloadsCode } from '../finding.ts'
import type { JudgeContext } from '../judge-context.ts'
import { opensKeys } from '../opened-keys.ts'
import { shownPath } from '../paths/shown-path.ts'
import { commandName } from '../programs/command-name.ts'
import { withoutOptions } from '../programs/copying.ts'
import { downloadDangers } from './downloads.ts'
import { readDanger, writeDanger } from './path-dangers.ts'
import { programDanger } from './program-dangers.ts'
import { allSteps, type Step, stepsOf } from './steps.ts'

type Context = Pick<JudgeContext, 'paths' | 'home' | 'reader'>

/** Steps of a line to look at one by one, and dangers to list. No line written by hand has more. */
const mostSteps = 50
const mostDangers = 12

/** Lists what is dangerous about a line of bash, the gravest first, each with its part of the line. */
export async function commandDangers(command: string, context: Context): Promise<readonly Danger[]> {
  const { reader, paths, home } = context
  const top = stepsOf(command)
  const steps = allSteps(top).slice(0, mostSteps)
  const downloads = downloadDangers(top)
  const dangers: Danger[] = [...downloads]
  let { cwd } = paths
  for (const step of steps) {
    const isDownload = downloads.some(({ start = 0, end = 0 }) => step.start >= start && step.end <= end)
    const told = wordsOf(step).filter((text) => !(isDownload && text === 'uses the network'))
    const line = step.isFramed
      ? await reader.read(command.slice(step.start, step.end), { cwd, home })
      : undefined
    const more = line === undefined ? [] : await lineDangers(line, told, context)
    for (const text of withoutWeaker([...told, ...more])) dangers.push({ text, ...rangeOf(step) })
    cwd = folderAfter(step, cwd, home)
  }
  const whole = await reader.read(command, { cwd: paths.cwd, home })
  return ordered([...withLoss(dangers, whole, context), ...(await wholeDangers(command, whole, context))])
}

/** Drops what another danger of the same step already says. */
function withoutWeaker(texts: readonly string[]): readonly string[] {
  const isAll = texts.some((text) => text.startsWith(losing))
  return texts.filter(
    (text) =>
      !(isAll && text.startsWith('deletes') && !text.startsWith(losing)) &&
      !texts.some((other) => text !== other && text.startsWith(`${other}/`)),
  )
}

const losing = 'deletes everything in '

/** Adds the loss of a precious folder that only the whole line shows, in place of the deletion that causes it. */
function withLoss(dangers: readonly Danger[], line: JudgedLine, context: Context): readonly Danger[] {
  const lost = lossIn(line, context)
  if (lost === undefined || dangers.some(({ text }) => text.startsWith(losing) || onlyKnownLater(text)))
    return dangers
  const deletions = dangers.filter(({ text }) => text.startsWith('deletes'))
  const [cause, ...others] = deletions
  if (cause === undefined || others.length > 0) return [...dangers, { text: lost }]
  return dangers.map((danger) => (danger === cause ? { ...danger, text: lost } : danger))
}

function lossIn({ removal = '' }: JudgedLine, context: Context): string | undefined {
  const path = /^it removes (.*)$/s.exec(removal)?.[1]
  return path === undefined ? undefined : losing + placeName(path, context)
}

function onlyKnownLater(text: string): boolean {
  return text === 'deletes files that are only known when it runs'
}

function rangeOf({ start, end }: Step): Pick<Danger, 'start' | 'end'> {
  return { start, end }
}

function wordsOf({ forms }: Step): readonly string[] {
  return forms.map(programDanger).filter((text) => text !== undefined)
}

/** The folder that later steps run in, as far as known. */
function folderAfter({ forms: [fields = []] }: Step, cwd: string, home: string): string {
  if (commandName(fields) !== 'cd') return cwd
  const [folder] = withoutOptions(fields.slice(1))
  return folder?.known === false || folder?.glob === true
    ? cwd
    : resolvePath(folder?.text ?? home, { cwd: resolve(cwd), home })
}

/** The dangers of what a step writes, reads and removes, besides those that are told already. */
async function lineDangers(
  line: JudgedLine,
  told: readonly string[],
  context: Context,
): Promise<readonly string[]> {
  const lost = told.some(onlyKnownLater) ? undefined : lossIn(line, context)
  const isDeleting = told.some((text) => text.startsWith('deletes'))
  const redirects = line.files.filter(({ access, by }) => access === 'write' && by === 'redirect')
  const written = [...redirects, ...(isDeleting ? [] : line.destinations)]
  const read = line.files.filter(({ access }) => access === 'read')
  const found: (string | undefined)[] = [lost]
  for (const { path, glob } of written)
    if (path !== undefined && !glob) found.push(await writeDanger(path, context))
  for (const { path, glob } of read) if (path !== undefined && !glob) found.push(readDanger(path, context))
  return found.filter((text) => text !== undefined)
}

function placeName(path: string, { paths: { cwd }, home }: Context): string {
  if (path === '/') return 'the whole file system'
  if (path === home) return 'your home folder'
  return path === cwd ? 'this folder' : shownPath(path, { cwd, home })
}

/** Characters that a reader cannot see. */
const unseen = /[\p{Cf}\p{Co}\p{Cc}](?<![\n\t])/gu

/** Dangers that only the whole line shows. */
async function wholeDangers(
  command: string,
  line: JudgedLine,
  { paths }: Context,
): Promise<readonly Danger[]> {
  const dangers: Danger[] = []
  if (/invisible/.test(line.caution ?? '')) {
    const [first] = command.matchAll(unseen)
    const at = first === undefined ? {} : { start: first.index, end: first.index + first[0].length }
    dangers.push({ text: 'holds characters that cannot be seen', ...at })
  } else if (/opens a connection/.test(line.caution ?? '')) dangers.push({ text: 'uses the network' })
  else if (/^it (cannot|has more)/.test(line.caution ?? ''))
    dangers.push({ text: (line.caution ?? '').replace(/^it /, '') })
  if (line.removal !== undefined && !line.removal.startsWith('it removes '))
    dangers.push({ text: removalWords[line.removal] ?? line.removal.replace(/^it /, '') })
  if (await opensKeys(line.files, paths)) dangers.push({ text: 'may read a file that holds keys' })
  if (line.opaque !== undefined && !/^it cannot be read/.test(line.opaque))
    dangers.push({ text: 'runs commands that are only known when it runs' })
  return dangers
}

const removalWords: Readonly<Record<string, string>> = {
  'what it removes is only known when it runs': 'deletes files that are only known when it runs',
}

/** Ranks by gravity. Everything else comes after these, in the order of the line. */
const ranks = [/^downloads/, /^deletes everything|disk$/, /^runs as root/, /^deletes/, /^holds/]

/** Puts the gravest first, and joins dangers with the same words and place. */
function ordered(dangers: readonly Danger[]): readonly Danger[] {
  const rankOf = ({ text }: Danger) => {
    const rank = ranks.findIndex((one) => one.test(text))
    return rank === -1 ? ranks.length : rank
  }
  const isTold = (text: string) => dangers.some((one) => one.text === text)
  const kept = dangers.filter(
    (danger, i) =>
      dangers.findIndex((one) => one.text === danger.text && one.start === danger.start) === i &&
      !(danger.start === undefined && dangers.some((one) => one !== danger && one.text === danger.text)) &&
      // Nobody knows what a download brings before it runs.
      !(danger.text.startsWith('runs commands that are only') && isTold(downloadsCode)),
  )
  return kept.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, mostDangers)
}
