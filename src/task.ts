import type { ActorId } from './actor.ts'
import type { Limits } from './engine.ts'
import type { InteractionId, SessionId, TaskId } from './id.ts'
import type { Interaction, InteractionResponse } from './interaction.ts'
import type { PermissionMode } from './permission.ts'

/** All statuses of a task. The last three are final. */
export const taskStatuses = ['open', 'in_progress', 'awaiting_user', 'done', 'failed', 'canceled'] as const

export type TaskStatus = (typeof taskStatuses)[number]

const finalStatuses: readonly string[] = taskStatuses.slice(3)

/** Whether nothing more can happen to a task. */
export function isOver({ status }: { readonly status: string }): boolean {
  return finalStatuses.includes(status)
}

/** All priorities, the most urgent first. */
export const taskPriorities = ['foreground', 'normal', 'background'] as const

export type TaskPriority = (typeof taskPriorities)[number]

/** A file, section, asset or source that a task is about. */
export type ArtifactRef =
  /** Lines are counted from 1, inclusive. The path is relative to the task's folder, with slashes. */
  | {
      readonly kind: 'file_range'
      readonly path: string
      readonly lineStart: number
      readonly lineEnd: number
    }
  | { readonly kind: 'outline_anchor'; readonly sectionId: string }
  | { readonly kind: 'asset'; readonly assetId: string }
  | { readonly kind: 'citation'; readonly citeKey: string }

/** Options for carrying out a task. */
export interface TaskOptions {
  /**
   * The repository: a commit without a parent from which `base` descends. Outside of git, and in a repository without a commit, the
   * absolute path of `folder`.
   */
  readonly repo?: string
  /** The git commit from which its work starts. */
  readonly base?: string
  /** Absolute path of the folder in which the task was created. */
  readonly folder?: string
  /** `provider/model[:level]`, or the name of a route. */
  readonly model?: string
  readonly mode?: PermissionMode
  readonly limits?: Limits
  /** The task that must be done first. */
  readonly after?: TaskId
  readonly parentTaskId?: TaskId
  /** The failed or canceled task that this one repeats. */
  readonly retryOf?: TaskId
}

/** Facts about one attempt at a task. */
export interface AttemptOptions {
  readonly sessionId?: SessionId
  /** The process that works on it, for people to read. */
  readonly worker?: string
  /** Absolute path of the worker's folder. Its repository keeps the work. */
  readonly folder?: string
  /** Counted from 1. Default: one more than the attempt before. */
  readonly attempt?: number
  /** The worker hands the task back: nobody works on it until it is started again. */
  readonly handedBack?: true
}

/** Fields of every event: its task, and the id of the actor who caused it. */
interface About {
  readonly taskId: TaskId
  readonly authorActorId: ActorId
}

/** A fact about a task. Seven types; questions and answers are the same as in a conversation. */
export type TaskEvent =
  | {
      readonly type: 'task_created'
      readonly payload: About & {
        readonly title: string
        /** The author's request in full. */
        readonly intent: string
        readonly priority: TaskPriority
        /** Id of the agent that is to work on it. */
        readonly agentId: ActorId
        readonly artifactRefs?: readonly ArtifactRef[]
        readonly options?: TaskOptions
      }
    }
  | {
      readonly type: 'task_started'
      readonly payload: About & { readonly agentId: ActorId; readonly options?: AttemptOptions }
    }
  | { readonly type: 'task_completed'; readonly payload: About & { readonly summary?: string } }
  | {
      readonly type: 'task_failed'
      readonly payload: About & {
        readonly reason: string
        /** `code` is the exit code of a run that fails like this. */
        readonly options?: { readonly code?: number }
      }
    }
  | { readonly type: 'task_canceled'; readonly payload: About & { readonly reason?: string } }
  | {
      readonly type: 'user_interaction_requested'
      readonly payload: About & { readonly interactionId: InteractionId } & Omit<Interaction, 'id'>
    }
  | {
      readonly type: 'user_interaction_responded'
      readonly payload: About &
        Pick<InteractionResponse, 'interactionId' | 'selectedOptionId' | 'inputValue' | 'comment' | 'parts'>
    }

export type TaskEventType = TaskEvent['type']

/** A task as its events leave it. */
export interface TaskView {
  readonly taskId: TaskId
  readonly title: string
  readonly intent: string
  readonly createdBy: ActorId
  readonly agentId: ActorId
  readonly priority: TaskPriority
  readonly status: TaskStatus
  readonly artifactRefs?: readonly ArtifactRef[]
  /** The question that waits for an answer. */
  readonly pendingInteractionId?: InteractionId
  readonly lastInteractionId?: InteractionId
  readonly parentTaskId?: TaskId
  readonly childTaskIds?: readonly TaskId[]
  /** Those of its creation, without the parent. */
  readonly options?: Omit<TaskOptions, 'parentTaskId'>
  /** The attempts so far; absent before the first. */
  readonly attempt?: number
  readonly sessionId?: SessionId
  readonly worker?: string
  /** Absolute path of the folder whose repository keeps the work of the last attempt. */
  readonly workFolder?: string
  /** Of a completed task. */
  readonly summary?: string
  /** Why it failed or was canceled. */
  readonly reason?: string
  /** Exit code of a failure. */
  readonly code?: number
  /** Number of its last event in its stream. */
  readonly seq: number
  /** ISO 8601, UTC. */
  readonly createdAt: string
  /** Time of its last event. */
  readonly updatedAt: string
}

/** Chooses the tasks to work on, the next one first. Pure. */
export type SchedulerPolicy = (tasks: readonly TaskView[]) => readonly TaskView[]

interface Cancellable {
  readonly signal: AbortSignal
}

/** A task as a model describes it. */
export interface SubtaskDraft {
  readonly text: string
  /** Id of the agent that is to work on it. */
  readonly agentId: ActorId
  readonly author: ActorId
}

/** The board of tasks for a model: tasks that belong to the one that it works on, if it works on one. */
export interface Subtasks {
  /** The names of the agents that can work on tasks. */
  agents(options: Cancellable): Promise<readonly string[]>
  /** Throws `invalid` for a text without words. */
  add(draft: SubtaskDraft, options: Cancellable): Promise<TaskView>
  /** Returns the subtasks of its task, or without one all tasks that are not over. */
  list(options: Cancellable): Promise<readonly TaskView[]>
  /** Finds a task by its id or the beginning of it. Throws `input`. */
  show(id: string, options: Cancellable): Promise<TaskView>
}
