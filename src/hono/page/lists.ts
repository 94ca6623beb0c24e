import type { JsonObject } from '../../json-value.ts'
import { object, text } from '../../wire/json-fields.ts'
import {
  type ListedSession,
  type ProjectRow,
  readProjects,
  readSessionRow,
  readSessionRows,
  readTaskRow,
  readTaskRows,
  type TaskRow,
} from './wire/rows.ts'

/** All sessions and tasks that the page knows of. */
export interface Lists {
  readonly isLoaded: boolean
  readonly isConnected: boolean
  readonly fault: string
  readonly projects: readonly ProjectRow[]
  /** The newest first. */
  readonly sessions: readonly ListedSession[]
  /** The session before which more are listed; empty if there are none. */
  readonly next: string
  readonly tasks: readonly TaskRow[]
}

interface Answers {
  readonly projects: JsonObject
  readonly sessions: JsonObject
  readonly tasks: JsonObject
}

export const noLists: Lists = {
  isLoaded: false,
  isConnected: true,
  fault: '',
  next: '',
  projects: [],
  sessions: [],
  tasks: [],
}

/** Folds a line about a session or a task into the lists. Pure. */
export function reduceLists(lists: Lists, line: JsonObject): Lists {
  const [session, task] = [object(line['session']), object(line['task'])]
  if (line['type'] === 'session' && session !== undefined)
    return { ...lists, sessions: merged(lists.sessions, [readSessionRow(session)]) }
  if (line['type'] === 'task' && task !== undefined && text(task['task_id']) !== '')
    return { ...lists, tasks: withTask(lists.tasks, readTaskRow(task)) }
  return lists
}

/** Takes what the server lists: the projects, the newest sessions, and all tasks. */
export function listed(known: Lists, answers: Answers): Lists {
  const { rows, next } = readSessionRows(answers.sessions)
  return {
    ...known,
    isLoaded: true,
    fault: '',
    projects: readProjects(answers.projects),
    next,
    sessions: merged(known.sessions, rows),
    tasks: readTaskRows(answers.tasks).reduce(withTask, known.tasks),
  }
}

/** Adds sessions that are older than the known ones. */
export function listedMore(known: Lists, sessions: JsonObject): Lists {
  const { rows, next } = readSessionRows(sessions)
  return { ...known, sessions: merged(known.sessions, rows), next }
}

/** Replaces rows that changed and adds new ones. Elves' sessions belong to their parent, not here. */
function merged(known: readonly ListedSession[], rows: readonly ListedSession[]): readonly ListedSession[] {
  const byId = new Map(known.map((row) => [row.id, row]))
  for (const row of rows) if (row.parentId === '') byId.set(row.id, row)
  return [...byId.values()].sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))
}

function withTask(known: readonly TaskRow[], task: TaskRow): readonly TaskRow[] {
  const before = known.find(({ id }) => id === task.id)
  if (before !== undefined && before.seq > task.seq) return known
  const others = known.filter(({ id }) => id !== task.id)
  return [...others, task].sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))
}

/** A place that asks the user. */
export interface AskingPlace {
  readonly type: 'session' | 'task'
  readonly id: string
  readonly title: string
}

/** Lists the sessions and tasks that ask now and did not before, or ask more. */
export function newlyAsking(before: Lists, now: Lists): readonly AskingPlace[] {
  const asked = new Map(before.sessions.map(({ id, questions }) => [id, questions]))
  const asking = new Set(before.tasks.filter(({ isAsking }) => isAsking).map(({ id }) => id))
  return [
    ...now.sessions
      .filter(({ id, questions }) => questions > (asked.get(id) ?? 0))
      .map(({ id, title }) => ({ type: 'session', id, title }) as const),
    ...now.tasks
      .filter(({ id, isAsking }) => isAsking && !asking.has(id))
      .map(({ id, title }) => ({ type: 'task', id, title }) as const),
  ]
}

/** Counts the questions that wait for the user. */
export function openQuestions({ sessions, tasks }: Lists): number {
  return (
    sessions.reduce((sum, { questions }) => sum + questions, 0) +
    tasks.filter(({ isAsking }) => isAsking).length
  )
}
