import { PipeError } from '../../error.ts'
import { nearest } from '../../ranking/nearest.ts'
import type { ShownSetting } from '../setting-actions.ts'

/** Describes the settings that are set, a line each, or one setting by its key. Throws `usage` if there is none. */
export function settingsReport(settings: readonly ShownSetting[], key?: string): string {
  if (key !== undefined) return describeSetting(findSetting(settings, key))
  const set = settings.filter(({ value }) => value !== undefined)
  return [
    ...set.map(({ key: name, value, origin }) => `${name} = ${value}  (${origin})`),
    ...(set.length === 0 ? ['no setting is set'] : []),
    '/config KEY explains a setting; /config KEY VALUE sets it',
  ].join('\n')
}

function findSetting(settings: readonly ShownSetting[], key: string): ShownSetting {
  const found = settings.find((one) => one.key === key)
  if (found !== undefined) return found
  const near = nearest(
    key,
    settings.map((one) => one.key),
  )
  const hint = near === undefined ? '/config lists those that are set' : `did you mean ${near}?`
  throw new PipeError('usage', `there is no setting called ${key}: ${hint}`)
}

function describeSetting({ key, value, origin, usual, meaning, values }: ShownSetting): string {
  return [
    value === undefined ? `${key} is not set` : `${key} = ${value}  (${origin})`,
    ...(meaning === undefined ? [] : [meaning]),
    ...(usual === undefined || usual === '' ? [] : [`default: ${usual}`]),
    ...(values === undefined ? [] : [`values: ${values.join(', ')}`]),
  ].join('\n')
}
