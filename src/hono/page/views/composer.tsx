import { type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react'
import { errorText } from '../../../error.ts'
import type { PageFile } from '../files/page-file.ts'
import { useFiles } from '../files/use-files.ts'
import { Icon } from '../icon.tsx'
import { usePage } from '../page-parts.ts'
import type { QueuedText } from '../session/view-state.ts'
import { serverUnreachable } from '../wire/api.ts'
import { Fault } from './fault.tsx'
import { MessageBox } from './message-box.tsx'
import type { SessionActions } from './session-actions.ts'
import { useDraft, withoutSent } from './use-draft.ts'

interface ComposerProps {
  readonly place: string
  readonly isConnected: boolean
  readonly isRunning: boolean
  /** The turn waits for an answer. */
  readonly isAsking: boolean
  /** Takes the focus when this becomes true, if nobody has it. */
  readonly isFocused: boolean
  readonly queue: readonly QueuedText[]
  readonly actions: SessionActions
  /** Choices for the next message. */
  readonly tools: ReactNode
}

/** Writes messages to a session: they begin a turn, steer the running one, or wait for its end. */
export function Composer({
  place,
  isConnected,
  isRunning,
  isAsking,
  isFocused,
  queue,
  actions,
  tools,
}: ComposerProps): ReactElement {
  const [draft, editDraft] = useDraft(place)
  const choice = useFiles()
  const [fault, setFault] = useState('')
  const [isSending, setSending] = useState(false)
  const messageId = useMessageId()
  useEffect(() => {
    if (isConnected) setFault((known) => (known === serverUnreachable ? '' : known))
  }, [isConnected])
  const attempt = async (act: () => Promise<void>) => {
    setSending(true)
    setFault('')
    try {
      await act()
    } catch (error) {
      setFault(errorText(error))
    } finally {
      setSending(false)
    }
  }
  const isEmpty = draft.trim() === '' && choice.files.length === 0
  const send = (when: 'now' | 'after') => {
    if (isEmpty || isSending) return
    void attempt(async () => {
      const { files } = choice
      await actions.send({ text: draft, id: messageId.of(draft, files), when, files })
      messageId.spend()
      choice.clear(files)
      editDraft(withoutSent(draft))
    })
  }
  const takeBack = (message: QueuedText) =>
    attempt(async () => {
      await actions.takeBack(message.id)
      editDraft((text) => [message.text, text].filter((part) => part.trim() !== '').join('\n\n'))
    })
  return (
    <footer className="composer">
      <div className="column">
        {isRunning ? (
          <div className="working">
            {isAsking ? null : <span className="spinner" />}
            <span className="subject" role="status">
              {isAsking ? 'Waiting for your answer' : 'Working'}
            </span>
            <button type="button" className="quiet stop" onClick={() => void attempt(actions.interrupt)}>
              <Icon name="stop" />
              Stop
            </button>
          </div>
        ) : null}
        <Queue queue={queue} isBusy={isSending} onTakeBack={(message) => void takeBack(message)} />
        <Fault text={fault || choice.fault} />
        <MessageBox
          value={draft}
          label={isRunning ? 'Add to this turn' : 'Message'}
          placeholder={isRunning ? 'Add to this turn…' : 'Message…'}
          isFocused={isFocused}
          choice={choice}
          tools={tools}
          onChange={(text) => editDraft(() => text)}
          onEnter={() => send('now')}
        >
          {isRunning && !isEmpty ? (
            <button
              type="button"
              className="quiet"
              title="Send after this turn"
              disabled={isSending}
              onClick={() => send('after')}
            >
              Later
            </button>
          ) : null}
          <button
            type="button"
            className="round primary"
            aria-label={isRunning ? 'Add to this turn' : 'Send'}
            disabled={isEmpty || isSending}
            onClick={() => send('now')}
          >
            <Icon name="send" />
          </button>
        </MessageBox>
      </div>
    </footer>
  )
}

interface QueueProps {
  readonly queue: readonly QueuedText[]
  readonly isBusy: boolean
  onTakeBack(message: QueuedText): void
}

function Queue({ queue, isBusy, onTakeBack }: QueueProps): ReactElement | null {
  if (queue.length === 0) return null
  return (
    <ul className="queue" aria-label="Waiting messages">
      {queue.map((message) => (
        <li key={message.id}>
          <span className="kind">{message.isLater ? 'Later' : 'Next'}</span>
          <span className="subject">{message.text}</span>
          <button type="button" className="quiet" disabled={isBusy} onClick={() => onTakeBack(message)}>
            Take back
          </button>
        </li>
      ))}
    </ul>
  )
}

interface Attempt {
  readonly draft: string
  readonly files: readonly PageFile[]
  readonly id: string
}

interface MessageIds {
  of(draft: string, files: readonly PageFile[]): string
  /** The message has arrived: the same is a new message from now on. */
  spend(): void
}

/** Gives each attempt to send a text with its files the same id, so that one that only seemed to fail is delivered once. */
function useMessageId(): MessageIds {
  const { newId } = usePage()
  const last = useRef<Attempt>(undefined)
  return {
    of: (draft, files) => {
      if (last.current?.draft !== draft || last.current.files !== files)
        last.current = { draft, files, id: newId.message() }
      return last.current.id
    },
    spend: () => {
      last.current = undefined
    },
  }
}
