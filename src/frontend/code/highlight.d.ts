/** Replaces the types of highlight.js for lowlight: its own would add a browser's globals to the whole program. */
export type LanguageFn = (highlighter: object) => object
export type Emitter = object
export type HLJSOptions = object
export type HighlightResult = object
