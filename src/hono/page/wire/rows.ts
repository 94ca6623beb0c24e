import type { JsonObject, JsonValue } from '../../../json-value.ts'
import { object, objects, text } from '../../../wire/json-fields.ts'

/** A session in the list. Times are ISO 8601. */
export interface ListedSession {
  readonly id: string
  readonly project: string
  readonly title: string
  readonly updatedAt: string
  readonly model: string
  /** Empty: its server decides. */
  readonly thinking: string
  readonly mode: string
  readonly agent: string
  readonly isRunning: boolean
  /** The end of the last turn: `done`, `failed`, or empty. */
  readonly outcome: string
  readonly questions: number
  readonly parentId: string
}

/** A task on the board. */
export interface TaskRow {
  readonly id: string
  readonly project: string
  readonly title: string
  readonly intent: string
  readonly status: string
  readonly updatedAt: string
  readonly seq: number
  readonly isAsking: boolean
  readonly sessionId: string
  readonly summary: string
  readonly reason: string
}

export interface ProjectRow {
  readonly name: string
  readonly cwd: string
}

export function readSessionRow(row: JsonObject): ListedSession {
  return {
    id: text(row['id']),
    project: text(row['project']),
    title: text(row['title']) || text(row['opening']) || 'Untitled',
    updatedAt: text(row['updated_at']),
    model: text(row['model']),
    thinking: text(row['thinking']),
    mode: text(row['mode']),
    agent: text(row['agent']),
    isRunning: row['is_running'] === true,
    outcome: text(row['outcome']),
    questions: number(row['questions']),
    parentId: text(row['parent_session_id']),
  }
}

export function readTaskRow(task: JsonObject): TaskRow {
  return {
    id: text(task['task_id']),
    project: text(task['project']),
    title: text(task['title']),
    intent: text(task['intent']),
    status: text(task['status']),
    updatedAt: text(task['updated_at']),
    seq: number(task['seq']),
    isAsking: text(task['pending_interaction_id']) !== '',
    sessionId: text(task['session_id']),
    summary: text(task['summary']),
    reason: text(task['reason']),
  }
}

export function readProjects(answer: JsonObject): readonly ProjectRow[] {
  return objects(answer['projects']).map((row) => ({ name: text(row['name']), cwd: text(row['cwd']) }))
}

/** Reads a list of sessions, and the id from which it goes on. */
export function readSessionRows(answer: JsonObject): {
  readonly rows: readonly ListedSession[]
  readonly next: string
} {
  return { rows: objects(answer['sessions']).map(readSessionRow), next: text(answer['next']) }
}

export function readTaskRows(answer: JsonObject): readonly TaskRow[] {
  return objects(answer['tasks']).map(readTaskRow)
}

/** Returns a field that is an object, as an empty one if it is missing. */
export function objectIn(fields: JsonObject, name: string): JsonObject {
  return object(fields[name]) ?? {}
}

/** Returns a number; 0 if it is missing or of another type. */
export function number(value: JsonValue | undefined): number {
  return typeof value === 'number' ? value : 0
}
