import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, type JsonObject, type JsonValue, parseJson, textField } from '../../json-value.ts'
import { isImageData } from '../../media/image-type.ts'
import { serverFrame } from '../../memory/frames.ts'
import { type ContentBlock, noOutput } from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { ToolResult } from '../../tool.ts'

/** Writes a text too long for the model to a file. Returns its path. */
export type SpillText = (text: string) => Promise<string>

/** Characters of the texts of one result, and the bytes of its images together. */
const most = { characters: 50_000, mediaBytes: 4_500_000 }

/** Reads the result of a call for the model, a failure too, framed as what a server says. */
export async function readResult(server: string, result: unknown, spill: SpillText): Promise<ToolResult> {
  const fields: JsonObject = isJsonObject(result) ? result : {}
  const content = Array.isArray(fields['content']) ? fields['content'] : []
  const structured = fields['structuredContent']
  const isNew = structured !== undefined && !content.some((block) => saysSame(block, structured))
  const data = isNew ? [{ type: 'text', text: JSON.stringify(structured, undefined, 1) }] : []
  const { text, images, lines, path } = await readBlocks([...content, ...data], spill)
  const body = text === '' && images.length === 0 ? noOutput : text
  return {
    content: [{ type: 'text', text: serverFrame(server, body) }, ...images],
    isError: fields['isError'] === true,
    details: {
      lines,
      ...omitUndefined({ spill: path }),
      ...(structured !== undefined && JSON.stringify(structured).length < most.characters && { structured }),
    },
  }
}

/** Whether a block is the text of this value. */
function saysSame(block: JsonValue, value: JsonValue): boolean {
  const text = textField(block, 'type') === 'text' ? textField(block, 'text') : undefined
  return text !== undefined && isDeepStrictEqual(parseJson(text), value)
}

/** Reads blocks: their texts as one, of which a long one goes to a file, and their images. One of an unknown kind costs only itself. */
export async function readBlocks(content: readonly JsonValue[], spill: SpillText): Promise<ReadBlocks> {
  const blocks = content.map(readBlock)
  const texts = blocks.flatMap((one) => (typeof one === 'string' ? [one] : []))
  const { kept, left } = fitting(blocks.flatMap((one) => (typeof one === 'string' ? [] : [one])))
  if (left > 0) texts.push(`[${left} more images left out: they are too large]`)
  const whole = texts.join('\n')
  const lines = whole === '' ? 0 : whole.trimEnd().split('\n').length
  return { ...(await bounded(whole, spill)), images: kept, lines }
}

interface ReadBlocks {
  readonly text: string
  readonly images: readonly ImageBlock[]
  /** Lines of the whole text. */
  readonly lines: number
  /** The file with the whole text. Absent: `text` is all of it. */
  readonly path?: string
}

type ImageBlock = Extract<ContentBlock, { type: 'image' }>

/** Returns the text of a block, or its image. */
function readBlock(block: JsonValue): string | ImageBlock {
  const type = textField(block, 'type')
  if (!isJsonObject(block) || type === undefined) return '[a block without a type was left out]'
  const data = textField(block, 'data')
  const mimeType = textField(block, 'mimeType') ?? ''
  switch (type) {
    case 'text':
      return textField(block, 'text') ?? ''
    case 'image':
      return data !== undefined && isImageData(mimeType, data)
        ? { type: 'image', mimeType, data }
        : `[an image was left out: ${mimeType || 'no type given'}]`
    case 'audio':
      return `[audio was left out: ${mimeType || 'no type given'}, which no model here hears]`
    case 'resource_link':
      return `[resource ${textField(block, 'uri') ?? ''} ${textField(block, 'name') ?? ''}]`.replace(
        ' ]',
        ']',
      )
    case 'resource':
      return readResource(block['resource'])
    default:
      return `[a block of the unknown type ${type.slice(0, 40)} was left out]`
  }
}

function readResource(resource: JsonValue | undefined): string | ImageBlock {
  const uri = textField(resource, 'uri') ?? ''
  const text = textField(resource, 'text')
  if (text !== undefined) return `[resource ${uri}]\n${text}`
  const [data, mimeType = ''] = [textField(resource, 'blob'), textField(resource, 'mimeType')]
  if (data !== undefined && isImageData(mimeType, data)) return { type: 'image', mimeType, data }
  const size = data === undefined ? '' : ` of ${Math.floor((data.length * 3) / 4)} bytes`
  return `[resource ${uri}: ${mimeType || 'binary data'}${size}, left out]`
}

function fitting(images: readonly ImageBlock[]): {
  readonly kept: readonly ImageBlock[]
  readonly left: number
} {
  let room = (most.mediaBytes * 4) / 3
  const kept = images.filter(({ data = '' }) => {
    const fits = data.length <= room
    if (fits) room -= data.length
    return fits
  })
  return { kept, left: images.length - kept.length }
}

/** Returns the beginning and the end of a long text, and where all of it is. */
async function bounded(text: string, spill: SpillText): Promise<Pick<ReadBlocks, 'text' | 'path'>> {
  if (text.length <= most.characters) return { text }
  const path = await spill(text)
  const half = most.characters / 2
  const left = text.length - 2 * half
  const cut = `\n[… ${left} characters left out; all of it is in ${path} …]\n`
  return { text: `${text.slice(0, half)}${cut}${text.slice(-half)}`, path }
}
