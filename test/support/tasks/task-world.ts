import { execFileSync } from 'node:child_process'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { systemClock } from '../../../src/cli/system-clock.ts'
import type { EventStore, StoredEvent } from '../../../src/event-store.ts'
import { createEventStore } from '../../../src/json/tasks/event-store.ts'
import type { ScriptBlock } from '../../../src/replay/script.ts'
import { deferred } from '../clocks/deferred.ts'
import type { FakeReply } from '../models/fake-server.ts'
import { openWorld, type World } from '../programs/world.ts'
import type { ChatBody } from '../vendors/chat-rules.ts'
import { replyEvents } from '../vendors/chat-sse.ts'

/** A world whose project is a trusted git repository. */
export interface TaskWorld extends World {
  git(...args: readonly string[]): string
  /** Adds a task and returns its id. */
  add(...words: readonly string[]): Promise<string>
  /** Returns the events of a task, each as its type. */
  typesOf(id: string): Promise<readonly string[]>
}

export async function openTaskWorld(): Promise<TaskWorld> {
  const world = await openWorld()
  const { cwd, pipe, put } = world
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=ann', '-c', 'user.email=ann@example.com', ...args], {
      cwd,
      encoding: 'utf8',
    }).trim()
  git('init', '-q', '-b', 'main')
  await put('a.txt', 'one\n')
  git('add', '-A')
  // Two repositories whose first commits are equal are one.
  git('commit', '-q', '-m', cwd)
  await pipe(['trust', 'add'])
  return {
    ...world,
    git,
    add: async (...words) => (await pipe(['task', 'add', ...words])).stdout.trimEnd(),
    typesOf: async (id) => {
      const { stdout } = await pipe(['task', 'log', id, '--json'])
      return stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).type)
    },
  }
}

/** Opens the events of a world's tasks. */
export function eventsOf({ home }: Pick<World, 'home'>): EventStore {
  const warn = (line: string) => {
    throw new Error(line)
  }
  const directory = join(home, 'tasks')
  return createEventStore({ directory, clock: systemClock, pid: process.pid, host: hostname(), warn })
}

export async function readAll(store: EventStore): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = []
  for await (const event of store.readAll(new AbortController())) events.push(event)
  return events
}

/** A model that decides by the request alone, so that it answers any number of workers in any order. */
export function modelThat(
  replies: (body: ChatBody) => readonly ScriptBlock[],
  { delayMs = 0 }: { readonly delayMs?: number } = {},
): FakeReply {
  return async ({ body }, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
    if (delayMs > 0) await wait(delayMs)
    for (const event of replyEvents(replies(body))) response.write(event)
    response.end()
  }
}

/** A reply that never ends. */
export function hanging() {
  const asked = deferred<void>()
  const closed = deferred<boolean>()
  const reply: FakeReply = async (request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
    asked.resolve()
    closed.resolve(await request.closed)
  }
  return { reply, asked: asked.promise, closed: closed.promise }
}

/** The text of the user's messages in a request. */
export function askedIn({ messages }: ChatBody): string {
  return JSON.stringify(messages.filter(({ role }) => role === 'user'))
}
