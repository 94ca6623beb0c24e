import { isJsonObject } from '../../json-value.ts'
import { permissionModes } from '../../permission.ts'
import { taskPriorities } from '../../task.ts'
import {
  type Check,
  isBoolean,
  isNumber,
  isPresent,
  isString,
  list,
  object,
  variant,
} from '../documents/check.ts'
import type { DiskInteraction, DiskResponse } from '../documents/interaction-schema.ts'
import type { DiskArtifactRef, DiskTaskEvent, DiskTaskOptions } from './schema.ts'

// Accepts what the schemas accept, because they take too long to load for a log without a fault.

type Payload<Type extends DiskTaskEvent['type']> = Extract<DiskTaskEvent, { readonly type: Type }>['payload']

const isName = (value: unknown): value is string => isString(value) && value !== ''
const isInteger = (value: unknown): value is number => Number.isSafeInteger(value)
const isCount = (value: unknown): value is number => isInteger(value) && value > 0
const isTrue = (value: unknown): value is true => value === true

function oneOf<Word extends string>(...words: readonly Word[]): Check<Word> {
  const known = new Set<unknown>(words)
  return (value): value is Word => known.has(value)
}

type Ref<Kind extends DiskArtifactRef['kind']> = Extract<DiskArtifactRef, { readonly kind: Kind }>

const refs: readonly Check<DiskArtifactRef>[] = [
  object<Ref<'file_range'>>(
    { kind: oneOf('file_range'), path: isName, line_start: isCount, line_end: isCount },
    {},
  ),
  object<Ref<'outline_anchor'>>({ kind: oneOf('outline_anchor'), section_id: isName }, {}),
  object<Ref<'asset'>>({ kind: oneOf('asset'), asset_id: isName }, {}),
  object<Ref<'citation'>>({ kind: oneOf('citation'), cite_key: isName }, {}),
]

export const isArtifactRef = (value: unknown): value is DiskArtifactRef => refs.some((check) => check(value))

export const isTaskOptions = object<DiskTaskOptions>(
  {},
  {
    repo: isName,
    base: isName,
    folder: isName,
    model: isName,
    mode: oneOf(...permissionModes),
    limits: object<NonNullable<DiskTaskOptions['limits']>>(
      {},
      { max_rounds: isNumber, max_tokens: isNumber, max_cost_usd: isNumber, max_time_ms: isNumber },
    ),
    after: isName,
    parent_task_id: isName,
    retry_of: isName,
  },
)

type Option = NonNullable<DiskInteraction['options']>[number]
type Danger = NonNullable<DiskInteraction['display']['dangers']>[number]
type Withheld = NonNullable<DiskInteraction['withheld']>[number]

const question = {
  kind: oneOf('select', 'confirm', 'input', 'composite'),
  purpose: oneOf('choose_strategy', 'request_info', 'confirm_risky_action', 'assign_subtask', 'generic'),
  display: object<DiskInteraction['display']>(
    { title: isString },
    {
      description: isString,
      content: isPresent,
      content_kind: oneOf('plain_text', 'json', 'diff', 'table'),
      dangers: list(object<Danger>({ text: isString }, { start: isNumber, end: isNumber })),
    },
  ),
} as const

const details = {
  options: list(
    object<Option>(
      { id: isString, label: isString },
      {
        style: oneOf('primary', 'danger', 'default'),
        is_default: isBoolean,
        detail: isString,
        confirm: isString,
      },
    ),
  ),
  withheld: list(object<Withheld>({ id: isString, label: isString, reason: isString }, {})),
  validation: object<NonNullable<DiskInteraction['validation']>>(
    {},
    { regex: isString, required: isBoolean },
  ),
  parts: list(isInteraction),
} as const

function isInteraction(value: unknown): value is DiskInteraction {
  return object<DiskInteraction>({ id: isString, ...question }, details)(value)
}

const answer = {
  selected_option_id: isString,
  input_value: isString,
  comment: isString,
  parts: list(isResponse),
} as const

function isResponse(value: unknown): value is DiskResponse {
  const required = { interaction_id: isString, answered_by: isString }
  return object<DiskResponse>(required, { ...answer, cancelled: isBoolean })(value)
}

const about = { task_id: isName, author_actor_id: isName }
const stored = { id: isCount, stream_id: isName, seq: isCount, created_at: isName }
const optional = { more: isTrue }

/** Accepts exactly what `taskEventSchema` does. */
export const isDiskTaskEvent: Check<DiskTaskEvent> = variant<DiskTaskEvent>({
  task_created: [
    {
      ...stored,
      payload: object<Payload<'task_created'>>(
        { ...about, title: isName, intent: isString, priority: oneOf(...taskPriorities), agent_id: isName },
        { artifact_refs: list(isArtifactRef), options: isTaskOptions },
      ),
    },
    optional,
  ],
  task_started: [
    {
      ...stored,
      payload: object<Payload<'task_started'>>(
        { ...about, agent_id: isName },
        {
          options: object<NonNullable<Payload<'task_started'>['options']>>(
            {},
            { session_id: isName, worker: isString, folder: isName, attempt: isCount, handed_back: isTrue },
          ),
        },
      ),
    },
    optional,
  ],
  task_completed: [
    { ...stored, payload: object<Payload<'task_completed'>>(about, { summary: isString }) },
    optional,
  ],
  task_failed: [
    {
      ...stored,
      payload: object<Payload<'task_failed'>>(
        { ...about, reason: isString },
        { options: object<NonNullable<Payload<'task_failed'>['options']>>({}, { code: isInteger }) },
      ),
    },
    optional,
  ],
  task_canceled: [
    { ...stored, payload: object<Payload<'task_canceled'>>(about, { reason: isString }) },
    optional,
  ],
  user_interaction_requested: [
    {
      ...stored,
      payload: object<Payload<'user_interaction_requested'>>(
        { ...about, interaction_id: isName, ...question },
        details,
      ),
    },
    optional,
  ],
  user_interaction_responded: [
    {
      ...stored,
      payload: object<Payload<'user_interaction_responded'>>({ ...about, interaction_id: isName }, answer),
    },
    optional,
  ],
})

/** The version in the header of a log; `undefined` for another line. */
export function readVersion(value: unknown): number | undefined {
  if (!isJsonObject(value) || value['type'] !== 'tasks') return undefined
  return isCount(value['version']) ? value['version'] : undefined
}
