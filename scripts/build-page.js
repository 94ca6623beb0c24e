import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from 'esbuild'
import { iconPng, iconSvg } from './page-icon.js'

/** Only calls the page, because no module of `src` acts at import. */
const entry = `
import { openPage } from './src/hono/page/main.tsx'
import './src/hono/page/style/page.css'
const place = document.getElementById('page')
if (place !== null) openPage(window, place)
`

/** A mark in the tab, as part of the page: a file of its own would be one more request. */
const icon = `data:image/svg+xml,${encodeURIComponent(iconSvg)}`

/** Sides in pixels: for home screens of Android and desktops, and of iOS. */
const sides = [192, 512]
const touchSide = 180

/** Bundles the page into `page/` of this folder: one script and one stylesheet with hashed names, and the document that loads them. */
export async function buildPage(root, folder, plugins) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: { contents: entry, resolveDir: root, sourcefile: 'page.js' },
    bundle: true,
    format: 'esm',
    // The highlighter is a file of its own, which loads when there is code to colour.
    splitting: true,
    platform: 'browser',
    // Browsers with lookbehind in regular expressions, which the filters of foreign text need.
    target: ['chrome111', 'firefox115', 'safari16.4'],
    jsx: 'automatic',
    outdir: join(folder, 'page'),
    entryNames: 'page-[hash]',
    chunkNames: '[name]-[hash]',
    define: { 'process.env.NODE_ENV': '"production"' },
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    plugins,
    logLevel: 'warning',
    write: false,
  })
  mkdirSync(join(folder, 'page'))
  for (const { path, contents } of outputFiles) writeFileSync(path, contents)
  const named = (ending) =>
    basename(outputFiles.find(({ path }) => basename(path).startsWith('page-') && path.endsWith(ending)).path)
  const write = (name, ending, bytes) => {
    const file = `${name}-${createHash('sha256').update(bytes).digest('hex').slice(0, 8)}.${ending}`
    writeFileSync(join(folder, 'page', file), bytes)
    return file
  }
  const icons = sides.map((side) => ({
    src: write(`icon${side}`, 'png', iconPng(side)),
    sizes: `${side}x${side}`,
  }))
  const touchIcon = write('touch', 'png', iconPng(touchSide))
  const manifest = write('app', 'webmanifest', JSON.stringify(manifestOf(icons)))
  const files = { script: named('.js'), style: named('.css'), touchIcon, manifest }
  writeFileSync(join(folder, 'page', 'index.html'), documentOf(files))
}

/** Makes the page one that can be installed. Its addresses start at the manifest, because a proxy may serve it below a path of its own. */
function manifestOf(icons) {
  return {
    name: 'pipe',
    description: 'Sessions and tasks of pipe',
    start_url: '../',
    scope: '../',
    display: 'standalone',
    background_color: '#fcfbf8',
    theme_color: '#fcfbf8',
    icons: icons.map((one) => ({ ...one, type: 'image/png', purpose: 'any maskable' })),
  }
}

function documentOf({ script, style, touchIcon, manifest }) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>pipe</title>
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#fcfbf8">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#181715">
<link rel="icon" href="${icon}">
<link rel="apple-touch-icon" href="page/${touchIcon}">
<link rel="manifest" href="page/${manifest}">
<link rel="stylesheet" href="page/${style}">
<script type="module" src="page/${script}"></script>
</head>
<body>
<div id="page"></div>
<noscript>This page needs JavaScript.</noscript>
</body>
</html>
`
}
