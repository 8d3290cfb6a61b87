/** Reads the XML that object stores answer with: small documents of elements and texts. */
import { SaxesParser } from 'saxes'

export interface Element {
  name: string
  text: string
  children: Element[]
}

/** The most nested elements; a listing has four levels. */
const deepest = 16

/** Parses a document. Throws for anything that is not well-formed, or nests more than 16 elements. */
export function parseXml(text: string): Element {
  const root: Element = { name: '', text: '', children: [] }
  const open = [root]
  const parser = new SaxesParser()
  parser.on('error', error => {
    throw error
  })
  parser.on('opentag', ({ name }) => {
    if (open.length > deepest) throw new Error('the XML nests too many elements')
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
