import { isJsonObject, type JsonObject, type JsonValue } from '../../json-value.ts'
import type { PermissionMode } from '../../permission.ts'
import type { FindTool } from '../agents/agent-field.ts'
import { readPeerModel } from '../agents/peer-agents.ts'
import { readPermissionMode } from '../permission-mode.ts'
import {
  emptyOffer,
  type ImportOffer,
  type PeerDocument,
  withEffort,
  withoutCounterpart,
} from './import-offer.ts'
import { readPeerRule } from './peer-rules.ts'

/** Reads `.claude.json`: servers, also those of the project in `root`. All else in it is no setting. */
export function offerOfState({ path, fields }: PeerDocument, root: string): ImportOffer {
  const { projects } = fields
  const project = isJsonObject(projects) ? projects[root] : undefined
  const own = isJsonObject(project) ? object(project['mcpServers']) : {}
  return { ...emptyOffer(path), servers: { ...object(fields['mcpServers']), ...own } }
}

/** Reads `settings.json` of `.claude`: rules, the mode, hooks, the model with its level of thinking, and the status line. */
export function offerOfSettings({ path, fields }: PeerDocument, findTool: FindTool): ImportOffer {
  const permissions = object(fields['permissions'])
  const left = [
    ...withoutCounterpart(fields, ['permissions', 'hooks', 'model', 'effortLevel', 'statusLine', '$schema']),
    ...withoutCounterpart(permissions, ['deny', 'ask', 'allow', 'defaultMode']).map(
      (one) => `permissions.${one}`,
    ),
  ]
  const read = (behavior: 'deny' | 'ask' | 'allow') =>
    list(permissions[behavior]).flatMap((entry) => {
      const { rules, note } = readPeerRule(entry, behavior, findTool)
      if (note !== undefined) left.push(`${behavior} ${JSON.stringify(entry).slice(0, 80)} ${note}`)
      return rules
    })
  const named = typeof fields['model'] === 'string' ? readPeerModel(fields['model'])?.model : undefined
  if (fields['model'] !== undefined && named === undefined)
    left.push('model: it names a size, not a model; choose one with -m')
  const model = withEffort(named, ['effortLevel', fields['effortLevel']], left)
  const mode = readMode(permissions['defaultMode'], left)
  const rules = { deny: read('deny'), ask: read('ask'), allow: read('allow') }
  const statusLine = readStatusLine(fields['statusLine'], left)
  return { ...emptyOffer(path), rules, hooks: object(fields['hooks']), model, mode, statusLine, left }
}

/** Reads the mode that a run begins with, unless it allows everything. */
function readMode(value: JsonValue | undefined, left: string[]): PermissionMode | undefined {
  if (value === undefined) return undefined
  const mode = readPermissionMode(value)
  if (mode === 'bypass')
    left.push('permissions.defaultMode: no import allows everything; --yolo does so for a run')
  else if (mode === undefined) left.push('permissions.defaultMode: no such mode can be set here')
  return mode === 'bypass' ? undefined : mode
}

/** Reads `{"type": "command", "command": "…", "padding": 0}`. */
function readStatusLine(value: JsonValue | undefined, left: string[]): string | undefined {
  if (value === undefined) return undefined
  const { type, command, ...rest } = object(value)
  if (type !== 'command' || typeof command !== 'string' || command.trim() === '') {
    left.push('statusLine: it holds no command')
    return undefined
  }
  left.push(...withoutCounterpart(rest, []).map((one) => `statusLine.${one}`))
  return command
}

function object(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

function list(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : []
}
