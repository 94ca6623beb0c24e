import type { SkillNote } from '../../config/skills/skill.ts'
import { counted } from '../../frontend/words/amount.ts'
import { visibleLine } from '../../terminal/visible.ts'
import type { RunContext } from '../run-context.ts'
import { JsonList } from './json-list.ts'

interface Summary extends Pick<RunContext, 'host' | 'flags'> {
  /** Counts what was checked, in words: `3 agents`. */
  readonly checked: string
  readonly faults: number
}

/** Prints what is wrong with files, a line each, and a line about all of them. */
export function printFindings(notes: readonly SkillNote[], { host, flags, checked, faults }: Summary): void {
  if (flags.format === 'json') {
    const listed = new JsonList(host.stdout, 'findings')
    for (const note of notes) listed.add(encode(note))
    listed.end()
    return
  }
  for (const note of notes) host.stdout.write(`${describe(note)}\n`)
  const found = faults === 0 ? 'no faults' : counted(faults, 'fault')
  host.stdout.write(`${checked}: ${found}\n`)
}

/** Splits a note into its line and its words. */
function parts({ text }: SkillNote): { readonly line?: number; readonly words: string } {
  const [, line, words = text] = /^(\d+): ([\s\S]*)$/.exec(text) ?? []
  return line === undefined ? { words } : { line: Number(line), words }
}

function describe(note: SkillNote): string {
  const { line, words } = parts(note)
  return visibleLine(`${note.path}:${line === undefined ? '' : `${line}:`} ${note.kind}: ${words}`)
}

function encode(note: SkillNote): object {
  const { line, words: text } = parts(note)
  return { path: note.path, ...(line !== undefined && { line }), kind: note.kind, text }
}
