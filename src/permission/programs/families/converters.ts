import type { Field } from '../../bash/fields.ts'
import { behindFirst } from '../copying.ts'
import type { Family, Program } from '../program.ts'
import { outputOption } from '../program-options.ts'
import { hasOne } from '../word-fields.ts'

/** Writes what its last operand names. */
const toLast: Program = { writes: (_, operands) => behindFirst(operands).slice(-1) }

/** Programs that convert pictures, films, documents and sources, and those that build sites of them. */
export const converters: Family = {
  ffmpeg: {
    valued:
      /^-(i|attach|metadata|[avs]?f|filter_(complex_)?script|filter_complex|map|c|c:[avs]|ss|t|to|loop|r)$/,
    writes: (_, operands) => operands,
    readsListed: hasOne(/^concat$/),
  },
  'convert magick': toLast,
  mogrify: { outputs: /^-path$/, writes: (_, operands) => operands },
  'pdftotext pdfimages pdftoppm pdftocairo pdftohtml pdfunite wkhtmltopdf': toLast,
  pandoc: { outputs: /^(-o|--output|--extract-media)(?==|$|(?<=-o))/ },
  'xmllint xsltproc iconv': { outputs: outputOption },
  sass: { outputs: /^--?out/, writes: writtenBySass },
  lessc: toLast,
  'babel swc postcss rollup parcel': { outputs: /^(-[do]|--(out-[a-z]+|dir|file|dist-dir|output))(?==|$)/ },
  svgo: { outputs: /^(-o|--output)(?==|$)/, writes: (_, files) => files },
  'hugo mkdocs jekyll jsdoc': { outputs: /^(-d|--(destination|site-dir))(?==|$)/ },
  asciidoctor: { outputs: /^(-[Do]|--(destination-dir|out-file))(?==|$)/ },
  'sphinx-build': { writes: (_, [, output]) => (output === undefined ? [] : [output]) },
}

/** `sass IN OUT`, `sass IN:OUT`. */
function writtenBySass(_: readonly Field[], operands: readonly Field[]): readonly Field[] {
  const pairs = operands.filter(({ text }) => text.includes(':'))
  if (pairs.length === 0) return behindFirst(operands)
  return pairs.map((field) => ({ ...field, text: field.text.replace(/^.*:/s, '') }))
}
