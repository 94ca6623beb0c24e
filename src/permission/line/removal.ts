import { dirname } from 'node:path'
import { escapeGlob, parseGlob } from '../../globs/compile-glob.ts'
import type { Field } from '../bash/fields.ts'
import type { CommandContext, JudgedLine } from '../command-line.ts'
import { disk, overwrites } from '../programs/disk.ts'
import { programIn } from '../programs/program-table.ts'
import { textsOf } from '../programs/word-fields.ts'
import type { Execution } from './execution.ts'
import { enter, foldersOf } from './folders.ts'

/**
 * Finds removals that nobody wants: of the root, a folder directly below it, a home, the project or a folder around it. An unknown
 * target counts as the worst case.
 */
export function removalOf(
  command: string,
  execution: Execution,
  context: CommandContext,
): Pick<JudgedLine, 'removal' | 'entered'> {
  const folders = foldersOf(execution, context)
  const anywhere = lossIn(folders, execution, context)
  const [, entered, ...below] = folders
  if (anywhere === undefined || entered === undefined || !goesIn(command, execution))
    return { removal: anywhere }
  return { removal: lossIn([entered, ...below], execution, context), entered }
}

/** Says what is lost if the line may run in any of these folders. */
function lossIn(
  folders: readonly string[],
  execution: Execution,
  { cwd, home }: CommandContext,
): string | undefined {
  for (const fields of execution.commands) {
    for (const target of removedOperands(fields)) {
      if (!target.known && /^[\s/]*$/.test(target.text)) return 'what it removes is only known when it runs'
      const lost = folders
        .map((folder) => lostBy(target, folder, home))
        .find((path) => isPrecious(path, cwd, home) || (target.glob && mayMatchPlace(path, cwd, home)))
      if (lost !== undefined) return `it removes ${lost}`
    }
    const ruins = programIn(fields)?.ruins?.(textsOf(fields.slice(1)))
    if (ruins !== undefined) return ruins
  }
  if (execution.redirects.some(({ operator, target }) => operator.includes('>') && disk.test(target.text)))
    return overwrites
  return undefined
}

/** A line that enters a subfolder, perhaps after it creates it, and removes files there only if that worked. */
const removesThere =
  /^\s*(mkdir (-p )?\w[\w.-]* && )?cd \w[\w.-]* && (rm|find) [^;|&\n`$(){}<>~]*(&& ([^;|&\n`$(){}<>~]|&&)*)?$/

/** Whether the line certainly leaves its first folder before it removes anything. */
function goesIn(command: string, execution: Execution): boolean {
  const removing = execution.commands.filter((fields) => removedOperands(fields).length > 0)
  return execution.folders.length === 1 && removing.length === 1 && removesThere.test(command)
}

/** The operands that a command removes with their contents, moves away or makes unreadable. */
function removedOperands(fields: readonly Field[]): readonly Field[] {
  return programIn(fields)?.removes?.(fields.slice(1)) ?? []
}

/** The folder that a path empties: `x/*` empties `x`. An unknown part may be empty. */
function lostBy({ text, glob }: Field, folder: string, home: string): string {
  const path = enter(folder, text, home)
  return glob && /\/(\.?(\[[^\]/]*\]|[*?])+|\{.*\}|\.\?\?\*)$/.test(path) ? dirname(path) : path
}

/** Stars in a glob. A glob with more counts as matching. */
const mostStars = 6

/** Whether a glob may match the project, a home, or a folder around them. */
function mayMatchPlace(glob: string, cwd: string, home: string): boolean {
  const pieces = glob.split(/\*+/)
  if (pieces.length > mostStars) return true
  // A set may match any character.
  const texts = pieces.map((piece) =>
    piece
      .split(/\[(?:\[:\w+:\]|[^\]/])*\]|\?/)
      .map(escapeGlob)
      .join('?'),
  )
  const { matches } = parseGlob(texts.join('*'))
  if (matches(`${cwd}/.git`)) return true
  return [cwd, home].some((path) => {
    for (let at = path; at !== dirname(at); at = dirname(at)) if (matches(at)) return true
    return false
  })
}

function isPrecious(path: string, cwd: string, home: string): boolean {
  const around = (inner: string) => inner === path || inner.startsWith(path === '/' ? '/' : `${path}/`)
  // `/etc` and `/home/x` are precious; `/tmp/x` and `/home/x/y` are ordinary folders.
  const depth = path.split('/').filter((part) => part !== '').length
  return (
    depth <= 1 ||
    around(cwd) ||
    around(home) ||
    (depth === 2 && /^\/(home|Users)\//.test(path)) ||
    path === `${cwd}/.git`
  )
}
