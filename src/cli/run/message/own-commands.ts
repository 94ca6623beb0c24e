import { resolve } from 'node:path'
import { oneLine } from '../../../characters/one-line.ts'
import type { PromptFile } from '../../../config/own-prompts.ts'
import type { Skill } from '../../../config/skills/skill.ts'
import { holds } from '../../../config/trust/project-root.ts'
import { PipeError } from '../../../error.ts'
import { mentionedResource, readMentions } from '../../../frontend/mentions.ts'
import { calledName, calledPrompt, type OwnPrompt } from '../../../frontend/own-prompt.ts'
import { initPrompt } from '../../../frontend/slash/init-prompt.ts'
import type { ReportCall } from '../../../frontend/slash/report-call.ts'
import { shellHint } from '../../../frontend/slash/shell-hint.ts'
import type { PromptCommand } from '../../../mcp/server-pool.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { nearest } from '../../../ranking/nearest.ts'
import { parseFilePart } from '../../../wire/reference.ts'
import { subcommands } from '../../subcommands.ts'
import type { Wired } from '../../wiring/wired.ts'
import { findPath, mentionedPath, type PathBase } from './mentioned-path.ts'

/**
 * Lists what the user calls by a slash: prompts in files, skills, which are sent by `/skill:NAME`, and prompts of MCP servers, as far as they
 * are known.
 */
export function ownCommands(
  wired: Pick<Wired, 'prompts' | 'skills' | 'servers'>,
  base: PathBase,
): readonly OwnPrompt[] {
  return [...writtenCommands(wired, base), ...serverCommands(wired)]
}

/** Returns a command as its name sends it. One that asks for more than its text is sent as its call, which stays in the message. */
function sentBy({ asks, ...prompt }: PromptFile, base: PathBase): Named {
  if (asks !== undefined) return { ...prompt, text: `/${prompt.name} $ARGUMENTS` }
  const { root, text } = prompt
  if (root === undefined) return prompt
  return { ...prompt, isForeign: true, text: withoutMentionsOutside(text, root, base) }
}

/** Lists those that are in files, and `/init`. */
export function writtenCommands(
  { prompts, skills }: Pick<Wired, 'prompts' | 'skills'>,
  base: PathBase,
): readonly OwnPrompt[] {
  const written = prompts().map((prompt) => sentBy(prompt, base))
  const taken = new Set(written.map(({ name }) => name))
  const called = skills().filter(({ isForUser }) => isForUser)
  const named = withPlainNames([
    ...written,
    ...called.map((skill) => commandOf(skill, taken.has(skill.name))),
  ])
  return named.some(({ name }) => name === initPrompt.name) ? named : [...named, initPrompt]
}

/** Lists the same with the texts of their files, whatever stands for them in a message. */
export function writtenTexts(
  wired: Pick<Wired, 'prompts' | 'skills'>,
  base: PathBase,
): readonly Pick<OwnPrompt, 'name' | 'alias' | 'text'>[] {
  const texts = new Map<string, string>([
    ...wired.skills().map(({ name, body }) => [`/skill:${name} $ARGUMENTS`, body] as const),
    ...wired.prompts().map(({ name, text }) => [`/${name} $ARGUMENTS`, text] as const),
  ])
  return writtenCommands(wired, base).map((one) => ({ ...one, text: texts.get(one.text) ?? one.text }))
}

/** Returns the prompt, or what it stands for if it calls a command by its name. */
export function spokenPrompt(
  prompt: string,
  wired: Parameters<typeof ownCommands>[0],
  base: PathBase,
): string {
  if (!prompt.startsWith('/')) return prompt
  return calledPrompt(prompt, ownCommands(wired, base)) ?? prompt
}

/** Throws `input` for a prompt of a run without a screen that calls only a command of the screen. Other prompts load nothing for it. */
export async function refuseScreenCommand(
  prompt: string,
  wired: Parameters<typeof ownCommands>[0],
  base: PathBase,
): Promise<void> {
  if (!prompt.startsWith('/') || calledPrompt(prompt, ownCommands(wired, base)) !== undefined) return
  const { requireNoScreenCommand } = await import('../../../frontend/slash/slash-command.ts')
  requireNoScreenCommand(prompt)
}

/** Reads a call of a report. Other prompts load nothing for it. */
export async function reportCalledBy(prompt: string | undefined): Promise<ReportCall | undefined> {
  if (prompt?.startsWith('/') !== true) return undefined
  return (await import('../../../frontend/slash/report-call.ts')).readReportCall(prompt)
}

/**
 * Throws `input` for a text that calls none of these, with the nearest name or the command of the shell. A prompt of a server may be known to
 * that alone.
 */
export function requireKnownCommand(
  text: string,
  wired: Parameters<typeof ownCommands>[0],
  base: PathBase,
): void {
  const name = calledName(text)
  if (name === undefined || wired.servers?.promptOwner(name) !== undefined) return
  const names = ownCommands(wired, base).flatMap((one) => [one.name, one.alias ?? []].flat())
  if (names.includes(name)) return
  const near = nearest(name, names)
  const guess = near === undefined ? '/help lists those of the screen' : `did you mean /${near}?`
  const hint = shellHint(name, subcommands) ?? guess
  throw new PipeError('input', `unknown command /${name}: ${hint}`)
}

/** Lists those that servers are known to have. */
export function serverCommands({ servers }: Pick<Wired, 'servers'>): readonly OwnPrompt[] {
  return (servers?.knownPrompts() ?? []).map(callOf)
}

function callOf({ name, alias, server, prompt, hint }: PromptCommand): OwnPrompt {
  return {
    name,
    alias,
    description: oneLine(prompt.description, longest),
    text: `/${name} $ARGUMENTS`,
    source: `of the MCP server ${server.server.name}`,
    ...(hint !== '' && { hint }),
  }
}

/** A command, with its name without that of its plugin. */
type Named = OwnPrompt & Pick<PromptFile, 'plain'>

/** Lets what a plugin brings be called without the plugin's name where nothing else is called so. */
function withPlainNames(commands: readonly Named[]): readonly OwnPrompt[] {
  const names = new Set(commands.map(({ name }) => name))
  const counts = new Map<string, number>()
  for (const { plain } of commands) if (plain !== undefined) counts.set(plain, (counts.get(plain) ?? 0) + 1)
  return commands.map(({ plain, ...command }) =>
    plain !== undefined && !names.has(plain) && counts.get(plain) === 1
      ? { ...command, alias: plain }
      : command,
  )
}

/** Characters of a description in a list. */
const longest = 80

const owners: Readonly<Record<Skill['source'], string>> = {
  user: 'a skill of yours',
  project: 'a skill of this project',
  plugin: 'a skill of a plugin',
}

function commandOf({ name, description, source, hint, plugin }: Skill, isTaken: boolean): Named {
  const long = `skill:${name}`
  return {
    ...(isTaken ? { name: long } : { name, alias: long }),
    description: oneLine(description, longest),
    text: `/${long} $ARGUMENTS`,
    source: owners[source],
    ...omitUndefined({ hint, plain: plugin && name.slice(plugin.name.length + 1) }),
  }
}

/** Mentions of a text that may attach something, and characters of the line from there on. The sign is taken from all others. */
const limits = { mentions: 50, characters: 2_000 }

/** A place for words, also one with a name of its own. */
const place = String.raw`\$(?:[A-Za-z_][\w-]*(?:\[\d+\])?|\d)`
const isPlace = new RegExp(`^${place}$`)
const holdsPlace = new RegExp(place)
/** Signs that begin a mention, also where no word is given for the place before them. */
const signs = new RegExp(String.raw`(?<=^|\s|${place})@+(?=\S)`, 'g')

/**
 * Takes the at sign from what a project's text mentions outside of the project, so that it attaches no file of the user: the model may
 * still ask to read it. Words of a call are the user's own, but not what the text puts around them.
 */
export function withoutMentionsOutside(text: string, root: string, base: PathBase): string {
  let found = 0
  return text.replace(signs, (sign, at: number) => {
    const end = text.indexOf('\n', at)
    const line = text.slice(at, end < 0 ? undefined : end)
    if (++found > limits.mentions || sign.length > 2 || line.length > limits.characters) return ''
    // Of several signs each could begin one, once others are gone.
    return Array.from(sign).every((_, i) => staysInside(line.slice(i), root, base)) ? sign : ''
  })
}

/** Whether the mention at the beginning of a text attaches at most what lies in the project. */
function staysInside(text: string, root: string, base: PathBase): boolean {
  const [mention] = readMentions(text)
  if (mention === undefined || isPlace.test(mention.word)) return true
  const { word, readings } = mention
  if (holdsPlace.test(word) || word.startsWith('session:') || mentionedResource(word) !== undefined)
    return false
  const parts = [word, ...readings].flatMap((one) => parseFilePart(one)?.path ?? [])
  const found = [mentionedPath(mention, base), ...parts.map((path) => findPath(path, base))]
  return found.every((one) => one === undefined || holds(root, resolve(base.cwd, one.path)))
}
