import type { MessageQueueStore } from '../../history/message-queue.ts'
import type { Interaction, InteractionResponse } from '../../interaction.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { type Redact, redactJson, redactMessage } from '../../redaction/redaction.ts'
import { logOver, type SessionLog, type SessionState, type SessionStore } from '../../session.ts'

/** Wraps a store to redact secrets in new writes. Does not change messages in memory or on disk. */
export function redactedStore(store: SessionStore, redact: Redact): SessionStore {
  return {
    create: async (session, options) => {
      const systemPrompt = redact(session.systemPrompt)
      return redacted(await store.create({ ...session, systemPrompt }, options), redact)
    },
    open: async (id, { signal, ifLost }) => {
      const kept = ifLost && { ...ifLost, systemPrompt: redact(ifLost.systemPrompt) }
      const { log, loaded } = await store.open(id, { signal, ...omitUndefined({ ifLost: kept }) })
      return { log: redacted(log, redact), loaded }
    },
    load: (id, options) => store.load(id, options),
    find: (beginning, options) => store.find(beginning, options),
    list: (options) => store.list(options),
  }
}

/** Wraps a store of waiting messages to redact secrets in what it writes. */
export function redactedQueues(queues: MessageQueueStore, redact: Redact): MessageQueueStore {
  return {
    read: (id) => queues.read(id),
    write: (id, waiting) =>
      queues.write(
        id,
        waiting.map((entry) => ({ ...entry, message: redactMessage(entry.message, redact) })),
      ),
  }
}

function redacted(log: SessionLog, redact: Redact): SessionLog {
  return logOver(log, {
    append: (message, state) =>
      log.append(redactMessage(message, redact), state && redactState(state, redact)),
    update: (state) => log.update(redactState(state, redact)),
  })
}

/** Redacts the title and what the open questions show. */
function redactState({ title, pending, ...state }: SessionState, redact: Redact): SessionState {
  const redacted = pending?.map((question) => ({
    ...question,
    interaction: redactInteraction(question.interaction, redact),
    ...(question.response && { response: redactResponse(question.response, redact) }),
  }))
  return { ...state, ...omitUndefined({ title: title && redact(title), pending: redacted }) }
}

function redactResponse(
  { inputValue, comment, parts, ...response }: InteractionResponse,
  redact: Redact,
): InteractionResponse {
  return {
    ...response,
    ...omitUndefined({ inputValue: inputValue && redact(inputValue), comment: comment && redact(comment) }),
    ...(parts && { parts: parts.map((part) => redactResponse(part, redact)) }),
  }
}

function redactInteraction(interaction: Interaction, redact: Redact): Interaction {
  const { title, description, content, ...display } = interaction.display
  const shown = content === undefined ? undefined : redactJson(content, redact)
  const parts = interaction.parts?.map((part) => redactInteraction(part, redact))
  return {
    ...interaction,
    display: {
      ...display,
      title: redact(title),
      ...omitUndefined({ description: description && redact(description), content: shown }),
    },
    ...omitUndefined({ parts }),
  }
}
