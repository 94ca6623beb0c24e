import * as z from 'zod'
import { isAgentName } from '../../actor.ts'
import { taskPriorities, taskStatuses } from '../../task.ts'
import { parseReference, referenceForms } from '../../wire/reference.ts'
import { interactionSchema } from '../documents/interaction-schema.ts'
import { taskViewSchema } from '../tasks/schema.ts'
import { givenResponseSchema, textSchema } from './command-schema.ts'
import { sessionRowSchema } from './session-schema.ts'

export const taskStatusSchema = z.enum(taskStatuses)

/** A task, as `encodeTaskView` makes it, and the project in whose folder it was created. */
export const taskSchema = taskViewSchema.extend({ project: z.string() })

/** Everything about one task. */
export const taskDetailsSchema = z.object({
  task: taskSchema,
  facts: z.array(z.tuple([z.string(), z.string()])),
  log: z.array(z.string()),
  question: interactionSchema.exactOptional(),
})

/** A task to put on the board. */
export const newTaskSchema = z.strictObject({
  project: z.string().min(1).exactOptional(),
  text: textSchema,
  priority: z.enum(taskPriorities).exactOptional(),
  agent: z.string().refine(isAgentName, 'is not a name of letters, digits, - and _').exactOptional(),
  refs: z.array(z.string().refine(isReference, `is not of the form ${referenceForms}`)).exactOptional(),
  after: z.string().min(1).exactOptional(),
  model: z
    .string()
    .refine((text) => text.trim() !== '', 'is empty')
    .exactOptional(),
})

function isReference(text: string): boolean {
  return parseReference(text) !== undefined
}

/** A command for a task. */
export const taskCommandSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('respond'), response: givenResponseSchema }),
  z.strictObject({ type: z.literal('cancel') }),
  z.strictObject({ type: z.literal('apply') }),
])

/** A line of the events for lists. */
export const listLineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session'), session: sessionRowSchema }),
  z.object({ type: z.literal('task'), task: taskSchema }),
])
