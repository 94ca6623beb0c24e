import { describe, expect, it } from 'vitest'
import { documentText, withoutUnsupported } from '../../src/media/media-support.ts'
import type { DocumentBlock, ImageBlock } from '../../src/message.ts'
import type { ModelInfo } from '../../src/model.ts'
import { assistant, text, toolResult, user } from '../support/messages/messages.ts'

const image: ImageBlock = { type: 'image', mimeType: 'image/png', data: 'iVBO' }
const pdf: DocumentBlock = { type: 'document', mimeType: 'application/pdf', data: 'JVBE', name: 'plan.pdf' }
const nameless: DocumentBlock = { type: 'document', mimeType: 'application/pdf', data: 'JVBE' }
const notes: DocumentBlock = { type: 'document', mimeType: 'text/plain', data: 'R3LDvMOfZQ==' }
const imageNote = text('(an image, which this model cannot see)')
const model: ModelInfo = { provider: 'p', id: 'm' }

const messages = [
  user(text('look'), image, pdf, nameless, notes),
  assistant(text('ok')),
  toolResult('a', text('found'), image),
]

describe('what a model can see', () => {
  it('includes everything if nothing is known about it', () => {
    expect(withoutUnsupported(messages, undefined)).toBe(messages)
    expect(withoutUnsupported(messages, model)).toBe(messages)
    expect(withoutUnsupported(messages, { ...model, images: true, documents: true })).toBe(messages)
  })

  it('has a note in place of each image that it cannot see', () => {
    expect(withoutUnsupported(messages, { ...model, images: false })).toEqual([
      user(text('look'), imageNote, pdf, nameless, notes),
      assistant(text('ok')),
      toolResult('a', text('found'), imageNote),
    ])
  })

  it('has a note in place of each unreadable document, except text documents', () => {
    expect(withoutUnsupported(messages, { ...model, documents: false })).toEqual([
      user(
        text('look'),
        image,
        text('(the document plan.pdf, which this model cannot read)'),
        text('(a document, which this model cannot read)'),
        notes,
      ),
      assistant(text('ok')),
      toolResult('a', text('found'), image),
    ])
  })

  it('keeps other messages unchanged', () => {
    const seen = withoutUnsupported(messages, { ...model, images: false, documents: false })
    expect(seen[1]).toBe(messages[1])
  })
})

describe('the text of a document', () => {
  it('is defined for plain text only', () => {
    expect([notes, pdf].map(documentText)).toEqual(['Grüße', undefined])
  })
})
