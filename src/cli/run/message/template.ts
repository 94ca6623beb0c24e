import { PipeError } from '../../../error.ts'
import { namedPlaces } from '../../../frontend/named-places.ts'
import type { OwnPrompt } from '../../../frontend/own-prompt.ts'
import { nearest } from '../../../ranking/nearest.ts'
import { type Flags, usageError } from '../../flags.ts'

/** A command of the user's or the project's that `-t` names, and what its places are filled with. */
export interface Template {
  readonly name: string
  readonly params: ReadonlyMap<string, string>
}

/** Reads `-t` and `--param`. Throws `usage`. */
export function readTemplate(flags: Flags): Template | undefined {
  const name = flags.text('template')
  const given = flags.all('param')
  if (name === undefined) {
    if (given.length > 0) throw usageError('--param needs -t')
    return undefined
  }
  const params = given.map((text) => {
    const [, param, value] = /^([\w-]+)=([\s\S]*)$/.exec(text) ?? []
    if (param === undefined || value === undefined)
      throw usageError(`--param takes NAME=VALUE, not ${JSON.stringify(text)}`)
    return [param, value] as const
  })
  return { name: name.replace(/^\//, ''), params: new Map(params) }
}

/** Spells a template with the words of the prompt as the command that it is. */
export function callOf({ name }: Template, words: string | undefined): string {
  return `/${name} ${words ?? ''}`.trimEnd()
}

/** A file that `-t` can name, with its text as it is written. */
export type TemplateFile = Pick<OwnPrompt, 'name' | 'alias' | 'text'>

/** Throws `input` if no command has the name, `usage` if its places and the parameters do not match. */
export function requireTemplate(template: Template, prompts: readonly TemplateFile[]): void {
  const { name, params } = template
  const prompt = prompts.find((one) => one.name === name || one.alias === name)
  if (prompt === undefined) {
    const close = nearest(
      name,
      prompts.map((one) => one.name),
    )
    const hint = close === undefined ? '' : ` Did you mean ${close}?`
    throw new PipeError(
      'input',
      `there is no template ${JSON.stringify(name)}.${hint} It is a file commands/${name}.md beside your settings, or .pipe/commands/${name}.md of a project that you trust`,
    )
  }
  const wanted = namedPlaces(prompt.text)
  const missing = [...wanted].filter((param) => !params.has(param))
  if (missing.length > 0)
    throw usageError(`-t ${name} needs ${missing.map((param) => `--param ${param}=…`).join(' ')}`)
  const surplus = [...params.keys()].find((param) => !wanted.has(param))
  if (surplus !== undefined)
    throw usageError(`the template ${name} has no {{${surplus}}} for --param ${surplus}`)
}
