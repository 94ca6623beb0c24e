import { proseWidth } from '../rows/row.ts'
import { type Draft, draftRows, type Entry, type Screen } from '../state.ts'
import { endRun } from '../transcript/shown-calls.ts'
import { addThinking, beginThinking } from '../transcript/thinking-text.ts'
import { addLine, type Block, type BlockStep, type Blocks, endText, noBlocks } from './blocks.ts'
import { type BlockSize, cutAll, takePieces } from './piece.ts'

/** Adds a delta to the draft. Whole blocks become final; a delta with another type or id ends the draft before it. */
export function addDelta(screen: Screen, type: Draft['type'], id: string, delta: string): Screen {
  const same = screen.draft?.type === type && screen.draft.id === id
  const now = same ? screen : beginDraft(screen, delta)
  if (type === 'thinking') {
    const before = now.draft?.type === 'thinking' ? now.draft.thinking : beginThinking(now.now)
    return { ...now, draft: { type, id, thinking: addThinking(before, delta) } }
  }
  const draft = now.draft?.type === 'text' ? now.draft : { blocks: noBlocks, started: false }
  const { blocks, whole } = addPieces(draft.blocks, delta, {
    columns: proseWidth(screen.size.columns),
    rows: draftRows(screen.size),
  })
  const entries = blockEntries(whole, draft.started)
  return {
    ...now,
    ...(entries.length > 0 && { finished: [...now.finished, ...entries] }),
    draft: { type, id, blocks, started: draft.started || entries.length > 0 },
  }
}

/** Ends what the new draft follows. A delta of white space alone shows nothing, so it follows nothing yet. */
function beginDraft(screen: Screen, delta: string): Screen {
  const flushed = flush(screen)
  return delta.trim() === '' ? flushed : endRun(flushed)
}

/** Makes the draft final. */
export function flush(screen: Screen): Screen {
  const { draft } = screen
  if (draft === undefined) return screen
  return { ...screen, draft: undefined, finished: [...screen.finished, ...lastEntries(draft, screen.now)] }
}

/** Drops the text of the draft, whose drawn rows stay on the screen, and lets the draft continue after it. */
export function keepDraft(screen: Screen): Screen {
  const { draft } = screen
  if (draft?.type !== 'text') return screen
  return { ...screen, draft: { ...draft, blocks: cutAll(draft.blocks), started: true } }
}

/** Adds a delta line by line, and keeps the open block small enough to be drawn whole. */
function addPieces(blocks: Blocks, delta: string, limit: BlockSize): BlockStep {
  const whole: Block[] = []
  let now = blocks
  for (const [i, text] of delta.split('\n').entries()) {
    if (i > 0) {
      const ended = addLine(now, now.partial)
      now = { ...ended.blocks, partial: '' }
      whole.push(...ended.whole)
    }
    const more = goesOnInNextRow(now) ? text.trimStart() : text
    if (more === '') continue
    const taken = takePieces({ ...now, partial: now.partial + more }, limit)
    now = taken.blocks
    whole.push(...taken.whole)
  }
  return { blocks: now, whole }
}

/** Whether what comes next begins a row in the middle of a text, where no space leads. */
function goesOnInNextRow({ rest, fence, open, partial }: Blocks): boolean {
  return rest !== undefined && fence === undefined && open === '' && partial === ''
}

/** Splits a whole text into entries, for a window of `columns` columns. */
export function textEntries(text: string, columns: number): readonly Entry[] {
  const { blocks, whole } = addPieces(noBlocks, text, {
    columns: proseWidth(columns),
    rows: Number.POSITIVE_INFINITY,
  })
  return blockEntries([...whole, ...endText(blocks)], false)
}

function lastEntries(draft: Draft, now: number): readonly Entry[] {
  if (draft.type === 'text') return blockEntries(endText(draft.blocks), draft.started)
  const { beginning, text, startedAt } = draft.thinking
  return beginning.trim() === '' ? [] : [{ type: 'thinking', beginning, text, durationMs: now - startedAt }]
}

function blockEntries(blocks: readonly Block[], started: boolean): readonly Entry[] {
  return blocks.map((block, i) => ({ type: 'block', block, first: !started && i === 0 }))
}
