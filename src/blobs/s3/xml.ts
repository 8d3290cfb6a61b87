/** Reads the XML that object stores answer with: small documents of elements and texts. */
import { SaxesParser } from 'saxes'

export interface Element {
  name: string
  text: string
  children: Element[]
}

/** The most nested elements; a listing has four levels. */
const deepest = 16

/** The most elements; a page of a thousand keys has some ten thousand. */
const mostElements = 50_000

/** Parses a document. Throws for anything that is not well-formed, or has more or deeper elements than an answer can. */
export function parseXml(text: string): Element {
  const root: Element = { name: '', text: '', children: [] }
  const open = [root]
  let count = 0
  const parser = new SaxesParser()
  parser.on('error', error => {
    throw error
  })
  parser.on('opentag', ({ name }) => {
    count += 1
    if (open.length > deepest || count > mostElements) throw new Error('the XML has too many elements')
    const element: Element = { name, text: '', children: [] }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('text', piece => {
    const element = open.at(-1)
    if (element !== undefined) element.text += piece
  })
  parser.on('closetag', () => void open.pop())
  parser.write(text).close()
  return root.children[0] ?? root
}

export const childrenOf = ({ children }: Element, name: string): Element[] =>
  children.filter(child => child.name === name)

/** The text of the first child of that name. */
export const textOf = (element: Element, name: string): string | undefined => childrenOf(element, name)[0]?.text
