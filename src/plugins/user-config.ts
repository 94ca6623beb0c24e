import { isAbsolute } from 'node:path'
import { isJsonObject, type JsonObject, type JsonValue, textField } from '../json-value.ts'
import type { PluginOptions } from '../machine/plugin-options.ts'
import { ok, type Result, refused } from '../machine/result.ts'
import { omitUndefined } from '../omit-undefined.ts'

/** A value that a plugin asks the user for: an entry of `userConfig` in its manifest. */
export interface PluginOption {
  readonly key: string
  readonly type: 'string' | 'number' | 'boolean' | 'directory' | 'file'
  /** In the words of its author; not made safe to print. */
  readonly title: string
  readonly isRequired: boolean
  /** Never shown, and in no text for a model. */
  readonly isSecret: boolean
  /** The value where the user gives none. */
  readonly usual?: string
  readonly min?: number
  readonly max?: number
}

const types = ['string', 'number', 'boolean', 'directory', 'file'] as const
const most = { options: 50, characters: 16_384 }

/** Reads the options of a manifest. A broken one costs only itself. */
export function readUserConfig(manifest: JsonObject, note: (text: string) => void): readonly PluginOption[] {
  const { userConfig = {} } = manifest
  if (!isJsonObject(userConfig)) {
    note('userConfig takes an object, so it is left out')
    return []
  }
  return Object.entries(userConfig)
    .slice(0, most.options)
    .flatMap(([key, value]) => {
      const read = readOption(key, value)
      if (read.type === 'refused')
        note(`the option ${JSON.stringify(key.slice(0, 60))} is skipped: ${read.reason}`)
      return read.type === 'ok' ? [read.value] : []
    })
}

function readOption(key: string, value: JsonValue): Result<PluginOption> {
  if (!/^[A-Za-z_]\w{0,63}$/.test(key)) return refused('its key is no plain word')
  if (!isJsonObject(value)) return refused('it is no object')
  const type = types.find((one) => one === (value['type'] ?? 'string'))
  if (type === undefined) return refused(`there is no type ${JSON.stringify(value['type'])}`)
  const [title, about] = [textField(value, 'title'), textField(value, 'description')]
  const [min, max] = [numberIn(value, 'min'), numberIn(value, 'max')]
  const option: PluginOption = {
    key,
    type,
    title: [title, about].filter(Boolean).join(': ') || key,
    isRequired: value['required'] === true,
    isSecret: value['sensitive'] === true,
    ...omitUndefined({ min, max }),
  }
  const usual = value['default']
  if (usual === undefined || usual === null) return ok(option)
  const text = Array.isArray(usual) ? usual.map(String).join(',') : String(usual)
  return ok({ ...option, usual: text })
}

function numberIn(fields: JsonObject, name: string): number | undefined {
  const value = fields[name]
  return typeof value === 'number' ? value : undefined
}

/** Checks a value that the user gives. Never repeats it: it may be a secret. */
export function checkOption({ key, type, min, max }: PluginOption, text: string): Result<string> {
  if (text.length > most.characters) return refused(`${key} has more than ${most.characters} characters`)
  if (text.includes('\0')) return refused(`${key} holds a zero byte`)
  if (type === 'boolean' && !/^(true|false)$/.test(text)) return refused(`${key} takes true or false`)
  if ((type === 'directory' || type === 'file') && !isAbsolute(text))
    return refused(`${key} takes an absolute path of a ${type}`)
  if (type !== 'number') return ok(text)
  const number = text.trim() === '' ? Number.NaN : Number(text)
  if (!Number.isFinite(number)) return refused(`${key} takes a number`)
  if (number < (min ?? number) || number > (max ?? number))
    return refused(`${key} takes a number from ${min ?? '-∞'} to ${max ?? '∞'}`)
  return ok(String(number))
}

/** Joins what the user has set with the usual values of a plugin. */
export function optionsOf(
  options: readonly PluginOption[],
  answers: Readonly<Record<string, string>>,
): PluginOptions {
  return {
    values: Object.fromEntries(
      options.flatMap(({ key, usual }) => {
        const value = answers[key] ?? usual
        return value === undefined ? [] : [[key, value]]
      }),
    ),
    secret: options.filter(({ isSecret }) => isSecret).map(({ key }) => key),
  }
}

/** Those that the user must still set. */
export function missingOptions(
  options: readonly PluginOption[],
  answers: Readonly<Record<string, string>>,
): readonly PluginOption[] {
  return options.filter(
    ({ key, isRequired, usual }) => isRequired && usual === undefined && answers[key] === undefined,
  )
}
