import type { AgentDefinition } from '../../actor.ts'
import { withoutTags } from '../../characters/tag-characters.ts'
import { isJsonObject } from '../../json-value.ts'
import { ok, type Result, refused } from '../../machine/result.ts'
import type { ToolServer } from '../../machine/tool-server.ts'
import { type PermissionMode, permissionModes } from '../../permission.ts'
import { nearest } from '../../ranking/nearest.ts'
import { readServer } from '../mcp/server-fields.ts'
import { plainName } from '../models/model-name.ts'
import { isLooser, readPermissionMode } from '../permission-mode.ts'
import {
  type AgentField,
  type AgentSettings,
  type KnownTools,
  type ReadField,
  shownWord,
} from './agent-field.ts'
import { readEffort } from './effort-word.ts'
import { readPeerModel } from './peer-agents.ts'
import { readDisallowedList, readToolList } from './tool-fields.ts'

/** Where a file comes from. */
export type FileOrigin = Pick<AgentDefinition, 'source' | 'path'>

type ReadValue = (field: AgentField, known: KnownTools, origin: FileOrigin) => Result<ReadField>

/** Holds the definition in the fields of a file, and notes about fields without effect: `4: …`. */
export interface ReadFields {
  readonly settings: AgentSettings
  readonly notes: readonly string[]
}

/**
 * Reads the fields of an agent's file, in the words of several agents. A field without an effect is named. One that would limit the agent
 * and cannot be understood refuses the file with a reason that begins with the line: `3: …`.
 */
export function readFields(
  fields: readonly AgentField[],
  known: KnownTools,
  origin: FileOrigin,
): Result<ReadFields> {
  let settings: AgentSettings = {}
  const notes: string[] = []
  const lines = new Map<string, number>()
  for (const field of fields) {
    const name = ownName(field)
    const read = name === undefined ? readUnknown(field) : readers[name]?.(field, known, origin)
    if (read === undefined) continue
    if (read.type === 'refused') return read
    const earlier = name === undefined ? undefined : lines.get(name)
    if (earlier !== undefined) return refused(`${field.line}: ${field.name} repeats line ${earlier}`)
    if (name !== undefined) lines.set(name, field.line)
    settings = joined(settings, read.value.settings)
    if (read.value.note !== undefined) notes.push(`${field.line}: ${read.value.note}`)
  }
  return ok({ settings, notes })
}

/** Joins what two fields say. Of two modes the stricter one holds. */
function joined(before: AgentSettings, more: AgentSettings): AgentSettings {
  const [a, b] = [before.mode, more.mode]
  const isKept = a !== undefined && b !== undefined && isLooser(b, a)
  return { ...before, ...more, ...(isKept && { mode: a }) }
}

const readers: Readonly<Record<string, ReadValue>> = {
  name: (field) => ok({ settings: { name: field.words() } }),
  description: (field) => {
    const description = withoutTags(field.words()).trim()
    return ok({ settings: description === '' ? {} : { description } })
  },
  model: text(readModel),
  route: text((word) =>
    plainName.test(word) ? { settings: { route: word } } : 'route takes the name of a route, such as fast',
  ),
  effort: text(readThinking),
  tools: readToolList,
  disallowedTools: readDisallowedList,
  mode: text(readMode),
  permissionMode: text(readMode),
  readonly: text((word) => yesOrNo(word, 'readonly', { mode: 'plan' })),
  sandboxMode: text(readSandbox),
  approvalPolicy: text(readApproval),
  maxTurns: text((word) =>
    /^[1-9]\d{0,5}$/.test(word)
      ? { settings: { maxRounds: Number(word) } }
      : 'maxTurns takes a number of rounds from 1 on',
  ),
  isolation: text((word) => {
    const isolation = (['worktree', 'none'] as const).find((one) => one === word)
    return isolation === undefined ? 'isolation takes worktree or none' : { settings: { isolation } }
  }),
  background: text((word) => yesOrNo(word, 'background', { background: true })),
  disabled: text((word) =>
    /^(false|no|off)$/i.test(word) ? { settings: {} } : 'its own file turns it off: disabled takes false',
  ),
  mcpServers: readServers,
  hooks: readHooks,
  skills: readSkills,
  initialPrompt: (field) => ok({ settings: { firstPrompt: withoutTags(field.words()) } }),
  memory: text(readMemory),
  color: () => ok({ settings: {} }),
  nicknameCandidates: () => ok({ settings: {} }),
}

/** Other names of fields, with small letters alone. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['allowedtools', 'tools'],
  ['modelreasoningeffort', 'effort'],
  ...Object.keys(readers).map((name): [string, string] => [name.toLowerCase(), name]),
])

/** Finds the name of a field that has an effect, also written with dashes, underscores or other capitals. */
function ownName({ name }: AgentField): string | undefined {
  return otherNames.get(name.replaceAll(/[-_]/g, '').toLowerCase())
}

/** Fields that limit an agent, of which a misspelled one would leave it free. */
const limiting = ['tools', 'disallowedTools', 'permissionMode', 'maxTurns', 'mcpServers', 'sandboxMode']
/** Fields that limit agents elsewhere, in forms that pipe does not read. */
const foreignLimits =
  /^(default_?)?(permissions?|sandbox|approvals?|allow|deny|(allowed|denied|disabled|excluded)\w*)$/i

function readUnknown({ name, line }: AgentField): Result<ReadField> {
  const meant = nearest(name, limiting, name.length > 7 ? 2 : 1)
  if (meant !== undefined) return refused(`${line}: there is no field ${name}; did you mean ${meant}?`)
  if (foreignLimits.test(name))
    return refused(
      `${line}: pipe cannot read ${name}, which may limit the agent; use tools, disallowedTools or mode`,
    )
  return without(`ignored the unknown field ${name}`)
}

function without(note: string): Result<ReadField> {
  return ok({ settings: {}, note })
}

/** Reads a field with one text. `read` returns what was expected if the text is not. */
function text(read: (word: string, origin: FileOrigin) => ReadField | string): ReadValue {
  return (field, _known, origin) => {
    const word = field.text()
    if (word.type === 'refused') return word
    const value = read(word.value.trim(), origin)
    return typeof value === 'string'
      ? refused(`${field.line}: ${value}, not ${shownWord(word.value)}`)
      : ok(value)
  }
}

function yesOrNo(word: string, name: string, settings: AgentSettings): ReadField | string {
  if (/^(true|yes|on)$/i.test(word)) return { settings }
  return /^(false|no|off)$/i.test(word) ? { settings: {} } : `${name} takes true or false`
}

const modelText = /^[^\s/]{1,100}\/[\x21-\x7e]{1,200}$/

function readModel(word: string, { source }: FileOrigin): ReadField | string {
  const isOfProject = source === 'project' || source === 'peer'
  // A script is a file of the project that speaks for the model.
  if (isOfProject && word.startsWith('replay/')) return 'model cannot be a script in a project'
  const settings = readPeerModel(word) ?? (modelText.test(word) ? { model: word } : undefined)
  if (settings !== undefined) return { settings }
  return {
    settings: {},
    note: `ignored the unknown model ${shownWord(word)}: it takes provider/model; a route goes in the field route`,
  }
}

function readThinking(word: string): ReadField {
  const thinking = readEffort(word)
  return thinking === undefined
    ? { settings: {}, note: `ignored the unknown effort ${shownWord(word)}` }
    : { settings: { thinking } }
}

function readMemory(word: string): ReadField {
  const memory = (['user', 'project', 'local'] as const).find((one) => one === word)
  return memory === undefined
    ? { settings: {}, note: 'memory has no effect: it takes user, project or local' }
    : { settings: { memory } }
}

/** The loosest mode of an agent that may not ask: what would need a question is refused. */
const unasked: AgentSettings = { mode: 'accept-edits', neverAsks: true }

function readMode(word: string): ReadField | string {
  if (word === 'dontAsk') return { settings: unasked }
  const mode = readPermissionMode(word)
  return mode === undefined ? `mode takes ${permissionModes.join(', ')}` : { settings: { mode } }
}

/** The loosest mode that keeps what a sandbox of another agent promises. */
const sandboxes: Readonly<Record<string, PermissionMode | undefined>> = {
  'read-only': 'plan',
  'workspace-write': 'accept-edits',
}

function readSandbox(word: string): ReadField | string {
  if (word === 'danger-full-access')
    return { settings: {}, note: 'sandbox_mode has no effect: a file gives an agent no more than you have' }
  const mode = Object.hasOwn(sandboxes, word) ? sandboxes[word] : undefined
  return mode === undefined
    ? 'sandbox_mode takes read-only, workspace-write or danger-full-access'
    : { settings: { mode } }
}

function readApproval(word: string): ReadField | string {
  if (word === 'never') return { settings: unasked }
  if (word === 'untrusted') return { settings: { mode: 'default' } }
  return ['on-request', 'on-failure'].includes(word)
    ? { settings: {} }
    : 'approval_policy takes untrusted, on-request, on-failure or never'
}

/** Reads names of servers, as a list or as those of a map, and the servers that the file itself sets up. */
function readServers(field: AgentField): Result<ReadField> {
  const read = field.value()
  if (read.type === 'refused') return read
  const { value } = read
  const entries = typeof value === 'string' ? value.split(/\s*,\s*/) : value
  const named = isJsonObject(entries) ? [entries] : entries
  if (!Array.isArray(named)) return refused(`${field.line}: ${field.name} takes names of MCP servers`)
  const names: string[] = []
  const own: ToolServer[] = []
  const notes: string[] = []
  for (const one of named) {
    if (typeof one !== 'string' && !isJsonObject(one))
      return refused(`${field.line}: ${field.name} takes names of MCP servers`)
    names.push(...(typeof one === 'string' ? [one] : Object.keys(one)))
    for (const [name, fields] of Object.entries(typeof one === 'string' ? {} : one)) {
      const server = readServer(name, fields, undefined)
      if (server.type === 'refused') notes.push(`${shownWord(name)} is not started: ${server.reason}`)
      else if (server.value !== undefined) {
        own.push(server.value.server)
        notes.push(...server.value.notes.map((note) => `${shownWord(name)}: ${note}`))
      }
    }
  }
  return ok({
    settings: { servers: names, ...(own.length > 0 && { ownServers: own }) },
    ...(notes.length > 0 && { note: `of its own MCP servers, ${notes.join('; ')}` }),
  })
}

function readHooks(field: AgentField): Result<ReadField> {
  const read = field.value()
  if (read.type === 'refused') return read
  return isJsonObject(read.value)
    ? ok({ settings: { hooks: read.value } })
    : refused(`${field.line}: hooks takes events, each with a list of hooks`)
}

/** Reads names of skills. Their configuration in other forms limits nothing. */
function readSkills(field: AgentField): Result<ReadField> {
  const list = field.list()
  return list.type === 'ok'
    ? ok({ settings: { skills: list.value } })
    : without('skills has no effect: it takes a list of names')
}
