import { describe, expect, it } from 'vitest'
import { mediaFault } from '../../src/media/media-fault.ts'
import { extendedWebp, gif, jpeg, losslessWebp, pdf, png, webp } from '../support/messages/media.ts'

/** `spare`: bytes at the end without which readers still show all of it. */
const samples: readonly (readonly [mimeType: string, bytes: Buffer, spare: number])[] = [
  ['image/png', png(), 0],
  ['image/jpeg', jpeg, 0],
  ['image/gif', gif, 1],
  ['image/webp', webp, 0],
  ['image/webp', losslessWebp, 0],
  ['image/webp', extendedWebp, 0],
  ['application/pdf', pdf, 1],
]

describe.each(samples)('media of the type %s', (mimeType, bytes, spare) => {
  it('are whole, also with more behind their end', () => {
    expect(mediaFault(mimeType, bytes)).toBeUndefined()
    expect(mediaFault(mimeType, Buffer.concat([bytes, Buffer.alloc(1_000)]))).toBeUndefined()
  })

  it('have a fault wherever they are cut off', () => {
    const cuts = Array.from({ length: bytes.length - spare }, (_, length) => bytes.subarray(0, length))
    expect(cuts.filter((cut) => mediaFault(mimeType, cut) === undefined)).toEqual([])
  })
})
