/** Seals secrets that have to be shown again, with a key that is not in the database: AES-256-GCM (NIST SP 800-38D). */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** Bytes. */
const ivLength = 12
const tagLength = 16

/** What is sealed. Each purpose has a key of its own. */
type Purpose = 'link' | 'known visitor'

export interface Seal {
  /** Seals a text for the row, or link, with that id; another one cannot be given it. Base64url. */
  close(purpose: Purpose, id: number, text: string): string
  /** Returns the text; null if it was sealed for another row or by another secret, or is damaged. */
  open(purpose: Purpose, id: number, sealed: string): string | null
  /** A number of 48 bits by which two servers know that they have the same secret. */
  readonly mark: number
}

/** Opens the seal of a secret of 32 bytes. */
export function openSeal(secret: Buffer): Seal {
  const keyFor = (purpose: Purpose): Buffer => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
  const keys: Readonly<Record<Purpose, Buffer>> = {
    link: keyFor('link'),
    'known visitor': keyFor('known visitor'),
  }
  const context = (purpose: Purpose, id: number): Buffer => Buffer.from(`${purpose} ${id}`)
  return {
    close: (purpose, id, text) => {
      const iv = randomBytes(ivLength)
      const cipher = createCipheriv('aes-256-gcm', keys[purpose], iv).setAAD(context(purpose, id))
      const bytes = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return bytes.toString('base64url')
    },
    open: (purpose, id, sealed) => {
      const bytes = Buffer.from(sealed, 'base64url')
      if (bytes.length < ivLength + tagLength) return null
      const decipher = createDecipheriv('aes-256-gcm', keys[purpose], bytes.subarray(0, ivLength))
      decipher.setAAD(context(purpose, id)).setAuthTag(bytes.subarray(-tagLength))
      try {
        return decipher.update(bytes.subarray(ivLength, -tagLength), undefined, 'utf8') + decipher.final('utf8')
      } catch {
        return null
      }
    },
    mark: createHmac('sha256', secret).update('filestore secret').digest().readUIntBE(0, 6),
  }
}
