import type { FrontendApi } from '../frontend/conversation-view.ts'
import { counted, formatCost, formatCount } from '../frontend/words/amount.ts'
import { formatElapsed } from '../frontend/words/duration.ts'
import { modeWords } from '../frontend/words/mode-words.ts'
import { totalTokens } from '../usage.ts'
import { secretHint } from './choices/secret-entry.ts'
import { keyHint, keyOf } from './keys/bindings.ts'
import { panelHint } from './panel/panel-view.ts'
import { pickerHint } from './picker/picker-hint.ts'
import { isBesideChoices } from './question/asked-question.ts'
import { questionHint } from './question/question-hint.ts'
import { columnsOf } from './rows/columns.ts'
import { columnsOfLine, cut, type Line, line, span } from './rows/line.ts'
import { modeColor } from './rows/mode-color.ts'
import { spinnerAt } from './rows/spinner.ts'
import type { Color } from './rows/theme.ts'
import type { Screen, Status } from './state.ts'
import { vimLabel } from './vim/vim.ts'

/** Time in ms without an agent event after which the silence of the server is shown. */
const silenceAfter = 20_000

const separator = ' · '

/** Draws the status line: current work, then facts about the conversation as far as they fit; numbers at the right. */
export function drawStatus(screen: Screen): Line {
  const { quitAsked, size, status } = screen
  const { columns } = size
  if (quitAsked !== undefined) return cut(line(quitHint(screen), { color: 'warning' }), columns)
  const secret = screen.secret && screen.picker === undefined ? secretHint(screen.secret, columns) : undefined
  const hint = questionHint(screen) ?? pickerHint(screen) ?? secret ?? panelHint(screen)
  if (hint !== undefined) return cut(line(hint, { color: isAsking(screen) ? 'warning' : 'muted' }), columns)
  const work = joined([drawWork(screen), drawBadge(status)].filter((part) => part.length > 0))
  const taken = work.length === 0 ? 0 : columnsOfLine(work) + separator.length
  const { left, right } = chooseFacts(screen, columns - taken)
  const head = cut(joined([work, ...left].filter((part) => part.length > 0)), columns)
  const numbers = joined(right, '  ')
  const gap = columns - columnsOfLine(head) - columnsOfLine(numbers)
  return numbers.length === 0 ? head : [...head, span(' '.repeat(Math.max(0, gap))), ...numbers]
}

function joined(parts: readonly Line[], by = separator): Line {
  return parts.flatMap((part, i) => (i === 0 ? part : [span(by, { color: 'muted' }), ...part]))
}

/** Returns the parts of the status line that depend on the `provider/model`. */
export function modelStatus(
  model: string,
  api: FrontendApi,
): Pick<Status, 'model' | 'thinking' | 'contextWindow'> {
  const { contextWindow, thinking } = api
  return { model, thinking: thinking?.level(), contextWindow: contextWindow?.(model) }
}

/** Tells that tasks of the board await an answer; empty if none does. */
function drawBadge({ waitingTasks = 0 }: Status): Line {
  return waitingTasks === 0 ? [] : line(counted(waitingTasks, 'question'), { color: 'warning' })
}

function quitHint({ status, bindings }: Screen): string {
  const again = `press ${keyOf(bindings, 'clear')} again`
  return status.server === undefined ? `${again} to quit` : `${again} to leave; the session keeps running`
}

/** Draws the current work; empty when idle. */
function drawWork(screen: Screen): Line {
  const { task, busySince, now, status } = screen
  if (status.lost !== undefined) return line(`◌ ${status.lost}; connecting again`, { color: 'warning' })
  if (task !== undefined) return drawBusy(screen, `${task.doing} ${formatElapsed(now - task.since)}`)
  return busySince === undefined ? [] : drawTurn(screen, busySince)
}

/** Draws what happens, with the key that stops it. */
function drawBusy(screen: Screen, words: string): Line {
  const { now } = screen
  const hint = stopHint(screen)
  return [
    span(`${spinnerAt(now)} `, { color: 'accent' }),
    span(words),
    span(hint && ` · ${hint}`, { color: 'muted' }),
  ]
}

/** Names the key that stops what runs. The first Esc leaves the words of an answer, and the insert mode of vim keys. */
function stopHint({ bindings, prompt, questions: [question] }: Screen): string {
  const hint = keyHint(bindings, 'interrupt', 'stops')
  const isLeaving = question === undefined ? prompt.vim?.mode === 'insert' : isBesideChoices(question)
  return isLeaving && hint.startsWith('Esc ') ? `Esc ${hint}` : hint
}

function drawTurn(screen: Screen, busySince: number): Line {
  const { now, heardAt, size } = screen
  const silence = now - heardAt
  const { hookWork } = screen.status
  if (hookWork !== undefined || silence < silenceAfter || !waitsForServer(screen)) {
    return drawBusy(screen, `${hookWork ?? verbOf(screen)} ${formatElapsed(now - busySince)}`)
  }
  const hint = stopHint(screen)
  const forms = ['no word from the server for', 'no word for'].map(
    (words) => `${spinnerAt(now)} ${words} ${formatElapsed(silence)}${hint && `, ${hint}`}`,
  )
  const form = forms.find((one) => columnsOf(one) <= size.columns) ?? forms.at(-1) ?? ''
  return line(form, { color: 'warning' })
}

/** Names what happens now in one word. */
function verbOf({ draft, calls, elves, questions, retry, now }: Screen): string {
  if (questions.length > 0) return 'waiting for you'
  if (retry !== undefined && now < retry.at) return 'waiting'
  const running = calls.filter(({ startedAt, ended }) => startedAt !== undefined && ended === undefined)
  if (running.length > 0) return runningVerb(running)
  if (draft?.type === 'text') return 'writing'
  if (calls.some(({ ended }) => ended === undefined)) return 'writing'
  return draft === undefined && elves.some(({ state }) => state === 'running') ? 'working' : 'thinking'
}

/** Returns the word that all running calls share. An elf's work is all that counts. */
function runningVerb(running: Screen['calls']): string {
  const verbs = new Set(running.map(({ look }) => look.verb ?? 'running'))
  const [verb = 'running', ...others] = verbs
  return verbs.has('working') ? 'working' : others.length === 0 ? verb : 'running'
}

/** Whether only the server can cause the silence: no call runs and no question is open. */
function waitsForServer({ calls, questions }: Screen): boolean {
  return questions.length === 0 && calls.every(({ startedAt }) => startedAt === undefined)
}

/** Whether an answer is due: to a question, or before a task is canceled. */
function isAsking({ questions, picker, panel }: Screen): boolean {
  return questions.length > 0 || (picker === undefined && panel?.confirming !== undefined)
}

/** A fact with its forms, best first. Facts with the highest `rank` are dropped first if there is no room. */
interface Fact {
  readonly rank: number
  readonly forms: readonly string[]
  /** Default: `muted`. */
  readonly color?: Color | undefined
  /** Whether it stands at the right. */
  readonly isNumber: boolean
}

function chooseFacts(screen: Screen, columns: number): { left: readonly Line[]; right: readonly Line[] } {
  const facts = factsOf(screen)
  const chosen = new Map<Fact, string>()
  let room = columns + separator.length
  for (const fact of facts.toSorted((a, b) => a.rank - b.rank)) {
    const form = fact.forms.find((one) => columnsOf(one) + separator.length <= room)
    if (form === undefined) continue
    chosen.set(fact, form)
    room -= columnsOf(form) + separator.length
  }
  const shown = (isNumber: boolean) =>
    facts
      .filter((fact) => fact.isNumber === isNumber)
      .flatMap((fact) => {
        const text = chosen.get(fact)
        return text === undefined ? [] : [line(text, { color: fact.color ?? 'muted' })]
      })
  return { left: shown(false), right: shown(true) }
}

/** Lists the facts in the order in which they are shown. */
function factsOf({ status, hasBegun, prompt }: Screen): readonly Fact[] {
  const { mode, agent, model, thinking, contextTokens, contextWindow, usage, costUsd, branch, server } =
    status
  const total = totalTokens(usage)
  const full =
    contextTokens === undefined || contextWindow === undefined
      ? undefined
      : `ctx ${Math.round((100 * contextTokens) / contextWindow)} %`
  const id = model.slice(model.indexOf('/') + 1)
  const facts = [
    { rank: 1, forms: [prompt.vim && vimLabel(prompt.vim)] },
    { rank: 1, forms: [mode && modeWords[mode].short], color: modeColor(mode) },
    { rank: 1, forms: [agent && `agent ${agent}`, agent] },
    { rank: 3, forms: [thinking && `${id} ${thinking}`, id] },
    { rank: 2, forms: [server && `at ${server}`] },
    // The head has it as well.
    { rank: 6, forms: [hasBegun ? branch : undefined], isNumber: true },
    { rank: 5, forms: [total === 0 ? undefined : `${formatCount(total)} tokens`], isNumber: true },
    { rank: 2, forms: [full], isNumber: true },
    {
      rank: 4,
      forms: [costUsd === undefined || costUsd === 0 ? undefined : formatCost(costUsd)],
      isNumber: true,
    },
  ]
  return facts.map(({ rank, forms, color, isNumber = false }) => ({
    rank,
    color,
    forms: forms.flatMap((form) => (form === undefined || form === '' ? [] : [form])),
    isNumber,
  }))
}
