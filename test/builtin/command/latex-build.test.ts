import { expect, it } from 'vitest'
import { isLatexBuild } from '../../../src/builtin/command/latex-build.ts'

it.each([
  'pdflatex paper.tex',
  'pdflatex -interaction=nonstopmode -halt-on-error chapters/01.tex',
  'xelatex -output-directory=build main',
  'lualatex --safer paper.tex',
  'latexmk -norc -pdf paper.tex',
  '  tectonic --keep-logs paper.tex ',
])('%j only builds a document', (command) => expect(isLatexBuild(command)).toBe(true))

it.each([
  '',
  'latexmk -pdf paper.tex',
  'latexmk -norc -lualatex paper.tex',
  'lualatex paper.tex',
  'tectonic -X build',
  'tectonic -Z shell-escape paper.tex',
  'latexmk -norc -e system("id") x',
  'latexmk -norc -pdflatex=./x paper.tex',
  'latexmk -norc -r rc paper.tex',
  'pdflatex -shell-escape paper.tex',
  'pdflatex --enable-write18 paper.tex',
  'pdflatex paper.tex; id',
  'pdflatex paper.tex && id',
  'pdflatex paper.tex\nid',
  'pdflatex $(id)',
  'pdflatex `id`',
  'pdflatex "\\input x"',
  'pdflatex \\write18{id}',
  'pdflatex paper.tex > x',
  'PATH=. pdflatex paper.tex',
  './pdflatex paper.tex',
  'make paper.pdf',
  'pdflatex -output-directory=/etc x',
  'pdflatex -output-directory /etc x',
  'pdflatex -output-directory=a/../../b x',
  'pdflatex ../x.tex',
  'constructor x',
])('%j may do more', (command) => expect(isLatexBuild(command)).toBe(false))
