import { describe } from 'vitest'
import { allButEditingSource } from '../../../support/permission/judged-lines.ts'

describe('converters', () => {
  allButEditingSource.denies('writes into the folder', [
    'ffmpeg -i a.mov -c:v copy src/b.mp4',
    'ffmpeg -i a.mov src/b.mp4 c.mp4',
    'convert a.png -resize 50% src/b.png',
    'mogrify -path src -resize 10 a.png',
    'mogrify -resize 10 src/a.png',
    'pdftotext a.pdf src/a.txt',
    'pandoc --extract-media=src a.docx',
    'pandoc -o src/a.md a.docx',
    'sass a.scss src/a.css',
    'sass lib:src',
    'babel lib -d src',
    'rollup --dir src -i a.js',
    'svgo src/a.svg',
    'hugo -d src',
    'sphinx-build . src',
  ])

  allButEditingSource.allows('only reads the folder', [
    'ffmpeg -i src/a.mov b.mp4',
    'ffmpeg -i src/a.mov',
    'convert src/a.png b.png',
    'pdftotext src/a.pdf a.txt',
    'pandoc src/a.md -o a.html',
    'sass src/a.scss a.css',
    'sass src:lib',
    'babel src -d lib',
    'sphinx-build src out',
  ])
})
