import { isJsonObject, type JsonObject, type JsonValue } from '../../json-value.ts'
import { ok, type Result, refused } from '../../machine/result.ts'
import type { SignInOptions } from '../../machine/tool-server.ts'
import { omitUndefined } from '../../omit-undefined.ts'

/** The fields of `oauth`, under our name and the name that other agents give them. */
const names = {
  clientMetadataUrl: ['client_metadata_url', 'clientMetadataUrl'],
  clientId: ['client_id', 'clientId'],
  clientSecret: ['client_secret', 'clientSecret'],
  callbackPort: ['callback_port', 'callbackPort'],
  scopes: ['scopes', 'scope'],
} as const

const known: readonly string[] = Object.values(names).flat()

/** Lists the fields of `oauth` that have no effect. */
export function unknownSignInFields(value: JsonValue | undefined): readonly string[] {
  return isJsonObject(value) ? Object.keys(value).filter((field) => !known.includes(field)) : []
}

/** Reads what an entry says about signing in. */
export function readSignInOptions(value: JsonValue | undefined): Result<SignInOptions | undefined> {
  if (value === undefined) return ok(undefined)
  if (!isJsonObject(value)) return refused('oauth takes an object')
  const texts = (['clientMetadataUrl', 'clientId', 'clientSecret'] as const).map((key) => {
    const given = fieldOf(value, key)
    return given === undefined || (typeof given === 'string' && given !== '')
      ? ok(given)
      : refused(`oauth.${names[key][0]} takes a text`)
  })
  const fault = texts.find((one) => one.type === 'refused')
  if (fault !== undefined) return fault
  const [clientMetadataUrl, clientId, clientSecret] = texts.map((one) =>
    one.type === 'ok' ? one.value : undefined,
  )
  const callbackPort = fieldOf(value, 'callbackPort')
  if (callbackPort !== undefined && !isPort(callbackPort))
    return refused('oauth.callback_port takes a number from 1 to 65535')
  const scopes = scopesOf(fieldOf(value, 'scopes'))
  if (scopes.type === 'refused') return scopes
  return ok(omitUndefined({ clientMetadataUrl, clientId, clientSecret, callbackPort, scopes: scopes.value }))
}

function fieldOf(fields: JsonObject, key: keyof typeof names): JsonValue | undefined {
  const [ours, theirs] = names[key]
  return fields[ours] ?? fields[theirs]
}

function isPort(value: JsonValue): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 65_536
}

/** Scopes are a list, or a text with blanks between them as the protocol writes it. */
function scopesOf(value: JsonValue | undefined): Result<readonly string[] | undefined> {
  if (value === undefined) return ok(undefined)
  const list = typeof value === 'string' ? value.split(' ').filter((one) => one !== '') : value
  const texts = Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []
  const isWhole = Array.isArray(list) && texts.length === list.length
  return isWhole && texts.every((one) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(one))
    ? ok(texts)
    : refused('oauth.scopes takes a list of scopes')
}
