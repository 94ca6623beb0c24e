/** A reply that is being written. A piece of text changes only its open segment, and so redraws no more. */
export interface PageReply {
  /** Changes once in a paragraph. */
  readonly closed: readonly ReplySegment[]
  readonly open: ReplySegment | undefined
  /** The block that is being written. */
  readonly block: string
}

/** A part of a reply that is drawn on its own. */
export interface ReplySegment {
  readonly type: 'prose' | 'code' | 'thinking'
  readonly text: string
  /** It continues the code of the segment before it. */
  readonly isContinued: boolean
}

export const noReply: PageReply = { closed: [], open: undefined, block: '' }

/** Length in characters at which a segment is closed, at the end of a line where there is one. */
const mostCharacters = 4_000

const fence = /^ {0,3}(?:`{3,}|~{3,})/

/** Adds a piece of text, in time for the piece and the open segment. */
export function addReplyText(reply: PageReply, piece: string, block: string): PageReply {
  const isSame = reply.block === block && reply.open !== undefined && reply.open.type !== 'thinking'
  const open = isSame ? reply.open : emptyProse
  const segments = divided(open, piece)
  const closed = [...(isSame ? [] : openOf(reply)), ...segments.slice(0, -1)]
  return {
    closed: closed.length === 0 ? reply.closed : [...reply.closed, ...closed],
    open: segments.at(-1),
    block,
  }
}

/** Adds a piece of thinking. Only its end is kept. */
export function addThought(reply: PageReply, piece: string, block: string): PageReply {
  const isSame = reply.block === block && reply.open?.type === 'thinking'
  const text = ((isSame ? reply.open.text : '') + piece).slice(-mostCharacters)
  return {
    closed: isSame ? reply.closed : [...reply.closed, ...openOf(reply)],
    open: { type: 'thinking', text, isContinued: false },
    block,
  }
}

const emptyProse: ReplySegment = { type: 'prose', text: '', isContinued: false }

function openOf({ open }: PageReply): readonly ReplySegment[] {
  return open === undefined || open.text === '' ? [] : [open]
}

/** Divides a segment where Markdown can be: behind an empty line, at a fence, and where it is too long. Returns at least one. */
function divided(open: ReplySegment, piece: string): readonly ReplySegment[] {
  const text = open.text + piece
  if (!piece.includes('\n') && text.length <= mostCharacters) return [{ ...open, text }]
  const segments: ReplySegment[] = []
  let { type, isContinued } = open
  let held = ''
  const close = (next: ReplySegment['type'], continues = false) => {
    if (held !== '') segments.push({ type, text: held, isContinued })
    held = ''
    type = next
    isContinued = continues
  }
  for (const line of text.split(/(?<=\n)/)) {
    const isFence = line.endsWith('\n') && fence.test(line)
    const isInFence = type === 'code' && (isContinued || held !== '')
    if (isFence && !isInFence) close('code')
    held += line
    if ((isFence && isInFence) || (type === 'prose' && line === '\n')) close('prose')
    else if (held.length > mostCharacters) close(type, type === 'code')
  }
  return [...segments, { type, text: held, isContinued }]
}
