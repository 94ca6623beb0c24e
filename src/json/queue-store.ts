import { rm } from 'node:fs/promises'
import { PipeError } from '../error.ts'
import { makePrivateFolder } from '../files/private-folder.ts'
import { readTextIfThere } from '../files/reading/read-if-there.ts'
import { fileError } from '../files/system-error.ts'
import { writeAtomically } from '../files/writing/atomic.ts'
import type { MessageQueueStore, WaitingMessage } from '../history/message-queue.ts'
import type { SessionId } from '../id.ts'
import { isJsonObject, type JsonValue, parseJson } from '../json-value.ts'
import type { UserMessage } from '../message.ts'
import { encodeMessage } from '../wire/message-json.ts'
import { decodeMessage, decodeMessageId } from './documents/decode.ts'
import { isDiskMessage } from './documents/session-check.generated.ts'
import { sessionPath } from './sessions/session-lock.ts'

const currentVersion = 1

/** Keeps the messages that wait for a session in the file `<id>.queue` beside it, which is there only while one waits. */
export function createQueueStore(directory: string): MessageQueueStore {
  const pathOf = (id: SessionId) => sessionPath(directory, id, '.queue')
  return {
    read: async (id) => {
      const path = pathOf(id)
      const text = await readTextIfThere(path)
      if (text === undefined) return []
      const waiting = decodeQueue(parseJson(text), id)
      if (waiting !== undefined) return waiting
      throw new PipeError('input', `cannot read ${path}: it is damaged, or written by a newer pipe`, {
        details: { path },
      })
    },
    write: async (id, waiting) => {
      const path = pathOf(id)
      if (waiting.length === 0) return removeIfThere(path)
      makePrivateFolder(directory)
      const messages = waiting.map(({ kind, message }) => ({ kind, message: encodeMessage(message) }))
      const text = JSON.stringify({ version: currentVersion, messages })
      await writeAtomically(path, Buffer.from(`${text}\n`), { mode: 0o600 })
    },
  }
}

async function removeIfThere(path: string): Promise<void> {
  try {
    await rm(path, { force: true })
  } catch (error) {
    throw fileError(error, path, 'delete')
  }
}

/** Returns `undefined` for JSON that is no queue of this version. */
function decodeQueue(value: JsonValue | undefined, id: SessionId): readonly WaitingMessage[] | undefined {
  if (!isJsonObject(value) || value['version'] !== currentVersion) return undefined
  const { messages } = value
  if (!Array.isArray(messages)) return undefined
  const decoded = messages.map((entry: JsonValue) => decodeEntry(entry, id))
  const waiting = decoded.filter((entry) => entry !== undefined)
  return waiting.length < decoded.length ? undefined : waiting
}

function decodeEntry(entry: JsonValue, id: SessionId): WaitingMessage | undefined {
  if (!isJsonObject(entry)) return undefined
  const { kind } = entry
  const message = decodeUserMessage(entry['message'], id)
  return message !== undefined && (kind === 'steer' || kind === 'follow_up') ? { message, kind } : undefined
}

function decodeUserMessage(value: JsonValue | undefined, session: SessionId): UserMessage | undefined {
  if (!isDiskMessage(value) || value.type !== 'user' || value.id === undefined) return undefined
  const ids = { id: decodeMessageId(session, value.id), parentId: undefined }
  const message = decodeMessage(value, ids, () => undefined)
  return message.type === 'user' ? message : undefined
}
