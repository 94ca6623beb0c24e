import { Fragment, type ReactElement, useEffect, useRef, useState } from 'react'
import { errorText } from '../../../error.ts'
import { cautiousOption, choiceWords, inOwnWords, isGranting } from '../../../frontend/words/choice-words.ts'
import { dangerTexts, type InteractionOption, type WithheldOption } from '../../../interaction.ts'
import type { JsonObject } from '../../../json-value.ts'
import { usePage } from '../page-parts.ts'
import { Fault } from '../views/fault.tsx'
import type { Question, Response } from '../wire/page-question.ts'
import { QuestionContent } from './question-body.tsx'
import { Seen } from './seen.tsx'
import { WordsAnswer } from './words-answer.tsx'

interface QuestionCardProps {
  readonly question: Question
  /** The number of questions that wait behind it. */
  readonly others: number
  answer(response: Response): Promise<void>
}

/** Asks a question, or the parts of a composite one after the other. */
export function QuestionCard({ question, others, answer }: QuestionCardProps): ReactElement {
  const [answers, setAnswers] = useState<readonly Response[]>([])
  const [fault, setFault] = useState('')
  const [isSending, setSending] = useState(false)
  const part = question.parts[answers.length] ?? question
  const send = async (response: Response) => {
    setSending(true)
    try {
      await answer(response)
    } catch (error) {
      setFault(errorText(error))
      setSending(false)
    }
  }
  const give = (fields: JsonObject) => {
    const response: Response = { interaction_id: part.id, ...fields }
    const all = [...answers, response]
    if (question.parts.length === 0) void send(response)
    else if (all.length < question.parts.length) setAnswers(all)
    else void send({ interaction_id: question.id, parts: all })
  }
  const count = question.parts.length
  const place =
    count > 0 ? `${answers.length + 1} of ${count}` : others > 0 ? `${others} more after this` : ''
  return (
    <section className="question" aria-label="Question" aria-live="polite">
      <div className="column">
        <Asked key={part.id} question={part} place={place} isSending={isSending} give={give} />
        <Fault text={fault} />
        {fault === '' || answers.length === 0 ? null : (
          <button type="button" className="quiet" onClick={() => setAnswers([])}>
            Start over
          </button>
        )}
      </div>
    </section>
  )
}

/** Milliseconds that a question must be on the screen before a tap counts: it may have been meant for what was there before. */
const readingMs = 500

interface AskedProps {
  readonly question: Question
  readonly place: string
  readonly isSending: boolean
  give(fields: JsonObject): void
}

function Asked({ question, place, isSending, give }: AskedProps): ReactElement {
  const { title, description, dangers, options, withheld, content, isPermission, kind } = question
  const alarms = dangerTexts(question)
  const hasContent = content !== undefined || description !== '' || dangers.length > 0
  const [isSeen, setSeen] = useState(!hasContent)
  const [isWriting, setWriting] = useState(options.length === 0)
  const [meant, setMeant] = useState<InteractionOption>()
  const isReady = useReading()
  const safe = cautiousOption(question)
  const choose = (option: InteractionOption) => {
    if (!isReady) return
    if (option.confirm !== undefined && option !== meant) setMeant(option)
    else give({ selected_option_id: option.id })
  }
  // A user who wrote a text has read the question.
  const write = (words: string) => {
    if (!isPermission) give(words === '' ? {} : { input_value: words })
    else if (safe !== undefined) give({ selected_option_id: safe.id, comment: words })
  }
  return (
    <>
      <header>
        <h2>{title}</h2>
        {place === '' ? null : <span className="muted">{place}</span>}
      </header>
      {hasContent ? (
        <Seen onSeen={() => setSeen(true)}>
          {description === '' ? null : <p className="description">{description}</p>}
          {content === undefined ? null : (
            <div className="content">
              <QuestionContent question={question} />
            </div>
          )}
          {alarms.length === 0 ? null : <p className="fault">⚠ {alarms.join(' · ')}</p>}
        </Seen>
      ) : null}
      {meant?.confirm !== undefined ? (
        <Confirm
          key={meant.id}
          option={meant}
          isSending={isSending}
          choose={choose}
          back={() => setMeant(undefined)}
        />
      ) : isWriting ? (
        <WordsAnswer
          label={isPermission ? 'Why not?' : 'Your answer'}
          isRequired={isPermission || question.isRequired || kind !== 'input'}
          isSending={isSending}
          onSend={write}
          onClose={options.length === 0 ? undefined : () => setWriting(false)}
        />
      ) : (
        <>
          {isPermission && !isSeen ? <p className="hint">Scroll to the end to allow this.</p> : null}
          <ul className="choices" aria-label="Answers">
            {options.map((option, i) => (
              <Fragment key={option.id}>
                <li>
                  <OptionButton
                    option={option}
                    label={isPermission ? choiceWords(option) : option.label}
                    style={styleOf(question, option)}
                    isDisabled={isSending || (isPermission && isGranting(question, option) && !isSeen)}
                    isReady={isReady}
                    isFirst={option === safe}
                    onChoose={() => choose(option)}
                  />
                </li>
                {i === 0 ? withheld.map((one) => <Withheld key={one.id} {...one} />) : null}
              </Fragment>
            ))}
            {kind === 'confirm' ? null : (
              <li>
                <button type="button" disabled={isSending} onClick={() => setWriting(true)}>
                  {isPermission ? inOwnWords.permission : inOwnWords.other}
                </button>
              </li>
            )}
          </ul>
        </>
      )}
    </>
  )
}

/** An answer that is not offered, in its place. */
function Withheld({ id, label, reason }: WithheldOption): ReactElement {
  return (
    <li className="hint">
      {choiceWords({ id, label })} (not offered: {reason})
    </li>
  )
}

interface ConfirmProps {
  readonly option: InteractionOption
  readonly isSending: boolean
  choose(option: InteractionOption): void
  back(): void
}

/** Asks whether an answer that allows much is meant. A second tap in the same place does not say yes. */
function Confirm({ option, isSending, choose, back }: ConfirmProps): ReactElement {
  const isReady = useReading()
  return (
    <>
      <p className="hint">{option.confirm}</p>
      <div className="answers">
        <button
          type="button"
          className="primary"
          // biome-ignore lint/a11y/noAutofocus: the safe answer to what was just asked for
          autoFocus
          onClick={back}
          onKeyDown={({ key }) => {
            if (key === 'Escape') back()
          }}
        >
          No, back to the question
        </button>
        <button
          type="button"
          className="danger"
          disabled={isSending}
          aria-disabled={!isReady}
          onClick={() => {
            if (isReady) choose(option)
          }}
        >
          Yes
        </button>
      </div>
    </>
  )
}

interface OptionButtonProps {
  readonly option: InteractionOption
  readonly label: string
  readonly style: NonNullable<InteractionOption['style']>
  readonly isDisabled: boolean
  readonly isReady: boolean
  /** Takes the focus if nobody has it. */
  readonly isFirst: boolean
  onChoose(): void
}

/** The filled button is the safe one where something is dangerous. */
function styleOf(question: Question, option: InteractionOption): OptionButtonProps['style'] {
  const { style = 'default' } = option
  if (question.dangers.length === 0) return style
  if (option === cautiousOption(question)) return 'primary'
  return style === 'primary' ? 'danger' : style
}

function OptionButton({
  option: { detail },
  label,
  style,
  isDisabled,
  isReady,
  isFirst,
  onChoose,
}: OptionButtonProps): ReactElement {
  const { hasKeyboard } = usePage()
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const { current } = button
    if (!isFirst || !hasKeyboard || current === null) return
    const { activeElement, body } = current.ownerDocument
    if (activeElement === null || activeElement === body) current.focus({ preventScroll: true })
  }, [isFirst, hasKeyboard])
  return (
    <button
      ref={button}
      type="button"
      className={style}
      disabled={isDisabled}
      aria-disabled={!isReady}
      onClick={onChoose}
    >
      <span>
        {label}
        {detail === undefined ? null : <span className="detail"> {detail}</span>}
      </span>
    </button>
  )
}

/** Tells whether the question was on the screen long enough to be answered. */
function useReading(): boolean {
  const { clock } = usePage()
  const [isReady, setReady] = useState(false)
  useEffect(() => clock.after(readingMs, () => setReady(true)), [clock])
  return isReady
}
