import { deflateSync } from 'node:zlib'

/** The mark is a pipe with an elbow, in units of 1/32 of its side. */
const [width, radius] = [4.5, 5]
const ground = [0x9a, 0x45, 0x22]
const ink = [0xfc, 0xfb, 0xf8]

/** The mark as SVG. */
export const iconSvg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#9a4522"/>' +
  '<path d="M6 13h13a5 5 0 0 1 5 5v7" fill="none" stroke="#fcfbf8" stroke-width="4.5" stroke-linecap="round"/></svg>'

/** Samples in each direction of a pixel, for smooth edges. */
const samples = 4

/** Draws the mark as a PNG of this side in pixels. It fills the square, as systems cut their own shape, and leaves a margin for it. */
export function iconPng(side) {
  const rows = Buffer.alloc(side * (side * 3 + 1))
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const share = covered(x, y, side)
      const at = y * (side * 3 + 1) + 1 + x * 3
      for (let c = 0; c < 3; c++) rows[at + c] = Math.round(ground[c] + (ink[c] - ground[c]) * share)
    }
  }
  return png(side, rows)
}

/** Returns the share of a pixel that the line covers. */
function covered(x, y, side) {
  let hits = 0
  for (let i = 0; i < samples * samples; i++) {
    const [dx, dy] = [(i % samples) + 0.5, Math.floor(i / samples) + 0.5]
    // The mark takes the inner four fifths.
    const unit = (at) => ((at / side - 0.5) * 32) / 0.8 + 16
    if (isOnLine(unit(x + dx / samples), unit(y + dy / samples))) hits++
  }
  return hits / (samples * samples)
}

/** Whether a point is on the line: two straight parts, joined by a quarter of a circle. */
function isOnLine(x, y) {
  const half = width / 2
  if (distance(x, y, [6, 13], [19, 13]) <= half || distance(x, y, [24, 18], [24, 25]) <= half) return true
  return x >= 19 && y <= 18 && Math.abs(Math.hypot(x - 19, y - 18) - radius) <= half
}

function distance(x, y, [ax, ay], [bx, by]) {
  const [dx, dy] = [bx - ax, by - ay]
  const along = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)))
  return Math.hypot(x - ax - along * dx, y - ay - along * dy)
}

/** Packs rows of RGB, each behind a zero, as PNG. */
function png(side, rows) {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  // 8 bits, RGB.
  head.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const parts = [
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]
  return Buffer.concat([signature, ...parts])
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const whole = Buffer.alloc(body.length + 8)
  whole.writeUInt32BE(data.length, 0)
  body.copy(whole, 4)
  whole.writeUInt32BE(crc32(body), body.length + 4)
  return whole
}

/** The checksum of PNG. */
function crc32(bytes) {
  let sum = 0xffffffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0)
  }
  return (sum ^ 0xffffffff) >>> 0
}
