import { PipeError } from '../../error.ts'
import { nearest } from '../../ranking/nearest.ts'
import type { FrontendApi } from '../conversation-view.ts'
import { calledPrompt } from '../own-prompt.ts'
import type { SlashCommand } from './parsed-slash-command.ts'
import { shellHint } from './shell-hint.ts'
import { type SlashDefinition, slashCommands } from './slash-definitions.ts'

/**
 * Parses a slash command. Returns `undefined` if the text is a message, such as one that begins with a path. Throws `usage` for an
 * unknown command, and for a command followed by more lines.
 */
export function readSlashCommand(text: string, api: FrontendApi): SlashCommand | undefined {
  const [, name, rest = ''] = /^\/([\p{L}\p{N}_:-]*)(?=\s|$)([\s\S]*)$/u.exec(text) ?? []
  if (name === undefined) return readGlued(text, api)
  const known = available(api)
  const found = known.find(([one, { alias }]) => one === name || alias === name)
  const argument = rest.trim() === '' ? undefined : rest.trim()
  if (found !== undefined && rest.trimEnd().includes('\n')) {
    throw new PipeError('usage', `/${name} takes one line`)
  }
  if (found !== undefined) return found[1].read(argument, api)
  const own = api.prompts?.() ?? []
  // Whoever composes the message elsewhere knows the skills there.
  if (api.prompts === undefined && name.startsWith('skill:')) return undefined
  // Names of other commands there are refused there. A slip in a name of ours is more likely.
  if (
    api.knowsNoPrompts === true &&
    nearest(
      name,
      known.map(([one]) => one),
      1,
    ) === undefined
  )
    return undefined
  const prompt = calledPrompt(text, own)
  if (prompt !== undefined) return { type: 'prompt', text: prompt }
  if (api.isServerPrompt?.(name) === true) return { type: 'prompt', text }
  const shell = shellHint(name, api.shellCommands ?? [])
  if (shell !== undefined) throw new PipeError('usage', `unknown command /${name}: ${shell}`)
  const near = nearest(name, [...known.map(([one]) => one), ...own.map((one) => one.name)])
  throw unknownCommand(`/${name}`, near)
}

/** Throws `input` for a text that is nothing but a command of the screen, which a model could not carry out. */
export function requireNoScreenCommand(text: string): void {
  const name = text.trim().slice(1)
  if (Object.entries(slashCommands).every(([one, { alias }]) => one !== name && alias !== name)) return
  throw new PipeError(
    'input',
    `/${name} works only on the screen: start pipe in a terminal and type it there`,
  )
}

function unknownCommand(line: string, near: string | undefined): PipeError {
  const hint = near === undefined ? '/help lists them' : `did you mean /${near}?`
  return new PipeError('usage', `unknown command ${line}: ${hint}`)
}

/** Rejects a lone path-like word: it means nothing to a model. If it ends in a command name, the error suggests that command. */
function readGlued(text: string, api: FrontendApi): undefined {
  const [line] = /^(?:\/[\p{L}\p{N}_:-]+){2,}(?=\s*$)/u.exec(text) ?? []
  if (line === undefined) return undefined
  const last = line.slice(line.lastIndexOf('/') + 1)
  const near = available(api).find(([name, { alias }]) => name === last || alias === last)
  throw unknownCommand(line, near?.[0])
}

/** Lists the available commands, each with its usage and its description, and the user's own below them. */
export function listSlashCommands(api: FrontendApi): readonly (readonly [string, string])[] {
  const taken = new Set(available(api).flatMap(([name, { alias = name }]) => [name, alias]))
  const own = (api.prompts?.() ?? []).flatMap(({ name, alias, hint = '', description, source }) => {
    const free = [name, alias].find((one) => one !== undefined && !taken.has(one))
    return free === undefined ? [] : [[`/${free} ${hint}`.trim(), `${description} (${source})`] as const]
  })
  return [...available(api).map(([, { usage, help }]) => [usage, help] as const), ...own]
}

function available(api: FrontendApi): readonly (readonly [string, SlashDefinition])[] {
  return Object.entries(slashCommands).filter(
    ([, { needs }]) => needs === undefined || api[needs] !== undefined,
  )
}
