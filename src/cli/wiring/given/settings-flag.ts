import type { GivenServers } from '../../../config/given-parts.ts'
import type { HookFile } from '../../../config/hooks/hook-files.ts'
import type { Layer } from '../../../config/layers.ts'
import { readPeerRule } from '../../../config/peer/peer-rules.ts'
import { readPermissionMode } from '../../../config/permission-mode.ts'
import { checkSettings, type Settings } from '../../../config/settings.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json-value.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { nearest } from '../../../ranking/nearest.ts'
import { visibleLine } from '../../../terminal/visible.ts'
import type { GivenText } from '../run-choices.ts'
import { findToolName } from '../tools/known-tools.ts'

/** Holds the settings of `--settings`. */
export interface ReadSettingsFlag {
  readonly layer: Layer
  readonly hooks?: HookFile
  readonly servers?: GivenServers
  readonly noHooks: boolean
  readonly neverAsks: boolean
  readonly warnings: readonly string[]
}

/** Settings and the fields of those that are objects, as far as another agent has such fields too. */
const ours: Readonly<Record<string, readonly string[]>> = {
  permissions: ['mode', 'allow', 'ask', 'deny'],
  sandbox: ['mode', 'network', 'writable'],
}

/** Reads settings in our form or in that of another agent. Throws `config` for settings of ours that are not valid. */
export async function readSettingsFlag(document: JsonObject, given: GivenText): Promise<ReadSettingsFlag> {
  const { $schema: _, ...fields } = document
  return (await isOurForm(fields)) ? readOwn(fields, given) : readPeer(fields, given.origin)
}

/** Whether each field is one of ours, or nearly: a misspelled one is a fault, not a field of another agent. */
async function isOurForm(document: JsonObject): Promise<boolean> {
  const { settingsSchema } = await import('../../../config/settings-schema.ts')
  const known = Object.keys(settingsSchema.shape)
  const { hooks: _, ...rest } = document
  const isOurs = ([name, value]: [string, JsonValue]) => {
    const below = ours[name]
    if (!known.includes(name)) return nearest(name, known, 1) !== undefined
    return (
      below === undefined || !isJsonObject(value) || Object.keys(value).every((one) => below.includes(one))
    )
  }
  return Object.entries(rest).every(isOurs)
}

async function readOwn(document: JsonObject, { origin, text }: GivenText): Promise<ReadSettingsFlag> {
  const { hooks: _, mcp_servers: servers, ...settings } = await checkSettings(document, origin, text)
  return {
    layer: { source: { type: 'flag', name: origin }, settings },
    ...omitUndefined({
      hooks: hooksOf(document, origin),
      servers: servers && { path: origin, servers },
    }),
    noHooks: false,
    neverAsks: false,
    warnings: [],
  }
}

/** The hooks count beside those of other files. */
function hooksOf({ hooks }: JsonObject, path: string): HookFile | undefined {
  return hooks === undefined ? undefined : { path, origin: 'user', hooks, isApproved: true }
}

/** Reads the fields of another agent that have a meaning here. All others are named. */
function readPeer(document: JsonObject, origin: string): ReadSettingsFlag {
  const { permissions: given, model, sandbox, hooks: _, disableAllHooks, ...others } = document
  const permissions = isJsonObject(given) ? given : {}
  const { allow, ask, deny, defaultMode, mode, ...rest } = permissions
  const read = (list: JsonValue | undefined, behavior: 'allow' | 'ask' | 'deny') =>
    readRules(list, behavior, origin)
  const [allowed, asked, denied] = [read(allow, 'allow'), read(ask, 'ask'), read(deny, 'deny')]
  const wanted = defaultMode ?? mode
  const neverAsks = wanted === 'dontAsk'
  const own = neverAsks ? 'default' : readPermissionMode(wanted ?? '')
  const isConfined = isJsonObject(sandbox) && sandbox['enabled'] === true
  const without = [
    ...Object.keys(others),
    ...Object.keys(rest).map((name) => `permissions.${name}`),
    ...(wanted !== undefined && own === undefined ? ['permissions.defaultMode'] : []),
    ...(isJsonObject(sandbox) ? Object.keys(sandbox).filter((name) => name !== 'enabled') : []).map(
      (name) => `sandbox.${name}`,
    ),
  ]
  const settings: Settings = {
    ...(typeof model === 'string' && model !== '' && { model }),
    ...(isConfined && { sandbox: { mode: 'workspace-write' } }),
    permissions: {
      allow: allowed.rules,
      ask: [...asked.rules, ...asked.guessed, ...denied.guessed],
      deny: denied.rules,
      ...omitUndefined({ mode: own }),
    },
  }
  return {
    layer: { source: { type: 'flag', name: origin }, settings },
    ...omitUndefined({ hooks: hooksOf(document, origin) }),
    noHooks: disableAllHooks === true,
    neverAsks,
    warnings: [
      ...[allowed, asked, denied].flatMap(({ notes }) => notes),
      ...(without.length === 0
        ? []
        : [visibleLine(`${origin}: no effect here: ${without.slice(0, 12).join(', ')}`)]),
    ],
  }
}

interface ReadRules {
  readonly rules: string[]
  /** Rules that cannot be read, which only ask. */
  readonly guessed: readonly string[]
  readonly notes: readonly string[]
}

function readRules(
  list: JsonValue | undefined,
  behavior: 'allow' | 'ask' | 'deny',
  origin: string,
): ReadRules {
  const entries = list === undefined ? [] : Array.isArray(list) ? list : [list]
  const read = entries.map((entry) => ({ entry, ...readPeerRule(entry, behavior, findToolName) }))
  return {
    rules: read.flatMap(({ rules, isGuess }) => (isGuess === true ? [] : rules)),
    guessed: read.flatMap(({ rules, isGuess }) => (isGuess === true ? rules : [])),
    notes: read.flatMap(({ entry, note }) =>
      note === undefined
        ? []
        : [visibleLine(`${origin}: the ${behavior} rule ${JSON.stringify(entry).slice(0, 80)} ${note}`)],
    ),
  }
}
