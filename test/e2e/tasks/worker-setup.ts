import type { FakeReply } from '../../support/models/fake-server.ts'
import type { TaskWorld } from '../../support/tasks/task-world.ts'

export const says = (text: string): FakeReply => ({ blocks: [{ type: 'text', text }] })
export const calls = (name: string, args: Readonly<Record<string, string>>): FakeReply => ({
  blocks: [{ type: 'tool_call', id: 'call_1', name, arguments: args }],
})

export const asks = calls('bash', { command: 'touch made; echo made it' })

export const created = 'task_created'
export const started = 'task_started'

export async function view({ pipe }: TaskWorld, id: string) {
  return JSON.parse((await pipe(['task', 'show', id, '--json'])).stdout)
}
