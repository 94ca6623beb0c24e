import { expect, it } from 'vitest'
import { droppedImages } from '../../../src/ink/prompt/dropped.ts'

it.each([
  ['/home/me/shot.png', ['/home/me/shot.png']],
  ['/home/me/shot.PNG \n', ['/home/me/shot.PNG']],
  ["'/home/me/my shot.png' ", ['/home/me/my shot.png']],
  ['"/home/me/my \\"shot\\".jpg"', ['/home/me/my "shot".jpg']],
  [String.raw`/home/me/my\ shot\ \(1\).webp`, ['/home/me/my shot (1).webp']],
  ["/home/me/it'\\''s.gif", undefined],
  ["'/home/me/it'\\''s.gif'", ["/home/me/it's.gif"]],
  ['file:///home/me/my%20shot.png', ['/home/me/my shot.png']],
  ['file://localhost/a.png', ['/a.png']],
  ['~/a.jpeg /b.png', ['~/a.jpeg', '/b.png']],
])('reads the images that were dropped as %j', (text, paths) => {
  expect(droppedImages(text)).toEqual(paths)
})

it.each([
  '',
  'shot.png',
  '/home/me/notes.md',
  '/a.png and /b.png',
  '/a.png\n/b.png',
  'see /a.png',
  "'/a.png",
  'file://elsewhere/a.png',
  'file:///%zz.png',
  `/${'a'.repeat(5_000)}.png`,
])('takes %j for text', (text) => {
  expect(droppedImages(text)).toBeUndefined()
})
