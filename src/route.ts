/** A route as data: an endpoint, the access it requires, and its function. Independent of Koa. */
import type { Actor, Caller, Visitor } from './access/actor.ts'
import type { LinkAccount } from './access/link-rows.ts'
import type { Access } from './access/policy.ts'
import type { Endpoint, OutputOf, ParsedInputOf } from './api/endpoint.ts'
import type { UploadItem } from './api/upload-many.ts'
import type { AppError } from './base/errors.ts'
import type { Allowance, ReceivedBlob } from './blobs/receive.ts'
import type { Reply } from './reply.ts'

/** What a function may know of the request besides its input. */
interface RequestFacts {
  address: string
  userAgent: string | null
  /** Whether If-None-Match contains this ETag. */
  hasCopy(etag: string): boolean
  /** The header If-Match; null if there is none. */
  readonly ifMatch: string | null
  /** Whether only the head of the answer is asked for. */
  readonly isHead: boolean
  /** Whether the client has disconnected, or been cut off: work that has waited for its turn need not begin. */
  isGone(): boolean
}

/** The user whose name and password were right. */
export interface SignedIn {
  userId: number
  username: string
  /** The hash that the password was compared with. */
  passwordHash: string
}

/** The caller's own session. */
export interface SessionControl {
  /**
   * Starts a session under a new id; an earlier one of this caller ends. If `passwordHash` is no longer the user's, the
   * response becomes 401.
   */
  start(user: SignedIn): Promise<void>
  end(): void
}

export interface PublicCall<Input> {
  input: Input
  request: RequestFacts
  session: SessionControl
}

export interface Call<Input> extends PublicCall<Input> {
  actor: Actor
}

/** A completely received file, durable or in memory; `fileName` is the part's, without directories. */
export interface Upload {
  fileName: string
  blob: ReceivedBlob
}

interface UploadCall<Input> extends Call<Input> {
  upload: Upload
}

/** One of many received files, with what the client says of it. */
export interface SentFile {
  item: UploadItem
  blob: ReceivedBlob
}

/** A received file of many, or the reason why it was refused on its way. */
export type SentItem = SentFile | { refusal: AppError }

export interface UploadManyCall<Input> extends Call<Input> {
  items: readonly SentItem[]
  /** Tells the figures how many files were stored. */
  countStored(files: number): void
}

/** What a call has whose input is in headers and whose body is bytes. */
export interface RawParts<By extends Caller> {
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** The announced bytes of the body; null when unknown. */
  contentLength: number | null
  /** The body. Its end is an error if the client goes away, or the request is cut off. */
  chunks: AsyncIterable<Buffer>
  cut(reason: AppError): void
  /** Admits the caller again, once the body has arrived. */
  confirm(): Promise<By>
  /** Tells the figures that a file was stored. */
  countStored(): void
}

export interface RawCall<Input> extends Call<Input>, RawParts<Actor> {}

/** Admits the files of one request: each at its first byte. */
export interface ManyAdmission {
  /** Throws if this file is refused; the others go on. */
  admit(item: UploadItem): Promise<Allowance>
  /** The request has ended. */
  end(): void
}

/**
 * What a visitor's call needs: nothing but a link that works (`open`), to see what it is on (`see`), also to go on with
 * bytes after its downloads are used up (`bytes`), or to add to it (`add`). All but `open` need the link's password.
 */
export type VisitorNeed = 'open' | 'see' | 'bytes' | 'add'

/** The visit of a browser, which a cookie of its link carries. */
export type LockedLink = Pick<LinkAccount, 'id' | 'password_hash'>

export interface VisitControl {
  /** The hash of the cookie's secret; null without a cookie. */
  readonly hash: string | null
  /** Gives the browser a new secret; returns its hash. */
  begin(): string
  /** Whether the browser has given the link's present password before, of which it has a sealed note. */
  isKnown(link: LockedLink): Promise<boolean>
  /** Gives the browser this note. */
  remember(link: LockedLink): Promise<void>
}

export interface GuestCall<Input> {
  input: Input
  request: RequestFacts
  visitor: Visitor
  link: LinkAccount
  /** Whether the link's password is still to be given; never for calls that need more than `open`. */
  isLocked: boolean
  /** Whether the link's downloads are used up; only for calls that need `bytes`. */
  isUsedUp: boolean
  visit: VisitControl
}

export interface GuestUploadCall<Input> extends GuestCall<Input> {
  upload: Upload
}

export interface GuestRawCall<Input> extends GuestCall<Input>, RawParts<Visitor> {}

/** What is known when the file's first byte arrives: the fields sent before it, and the length. */
interface UploadStart<Input, By extends Caller = Actor> {
  actor: By
  input: Input
  /** The request's Content-Length; null if it gave none. */
  contentLength: number | null
  request: RequestFacts
}

// biome-ignore lint/suspicious/noExplicitAny: routes of every input stand in one table
export type AnyEndpoint = Endpoint<any, any>

export type Route = { endpoint: AnyEndpoint } & (
  | { kind: 'public'; run: (call: PublicCall<never>) => Promise<Reply<unknown>> }
  | { kind: 'call'; access: Access; run: (call: Call<never>) => Promise<Reply<unknown>> }
  | {
      kind: 'upload'
      access: Access
      before: (start: UploadStart<never>) => Promise<Allowance>
      run: (call: UploadCall<never>) => Promise<Reply<unknown>>
    }
  | {
      kind: 'upload-many'
      access: Access
      before: (call: { actor: Actor; input: never }) => Promise<ManyAdmission>
      run: (call: UploadManyCall<never>) => Promise<Reply<unknown>>
    }
  | {
      kind: 'raw'
      access: Access
      /** Headers of every answer, also of refusals. */
      headers: Readonly<Record<string, string>>
      run: (call: RawCall<never>) => Promise<Reply<unknown>>
    }
  | { kind: 'guest'; need: VisitorNeed; run: (call: GuestCall<never>) => Promise<Reply<unknown>> }
  | {
      kind: 'guest-upload'
      need: 'add'
      before: (start: UploadStart<never, Visitor> & { link: LinkAccount }) => Promise<Allowance>
      run: (call: GuestUploadCall<never>) => Promise<Reply<unknown>>
    }
  | {
      kind: 'guest-raw'
      need: 'add'
      headers: Readonly<Record<string, string>>
      run: (call: GuestRawCall<never>) => Promise<Reply<unknown>>
    }
)

/** The routes of users, which need an access. */
export type UserRoute = Extract<Route, { access: Access }>
/** The routes of visitors. */
export type GuestRoute = Extract<Route, { need: VisitorNeed }>

/** A call that needs no access. */
export const publicRoute = <E extends AnyEndpoint>(
  endpoint: E,
  run: (call: PublicCall<ParsedInputOf<E>>) => Promise<Reply<OutputOf<E>>>,
): Route => ({ kind: 'public', endpoint, run })

/** A call that requires `access`. */
export const route = <E extends AnyEndpoint>(
  endpoint: E,
  access: Access,
  run: (call: Call<ParsedInputOf<E>>) => Promise<Reply<OutputOf<E>>>,
): Route => ({ kind: 'call', endpoint, access, run })

/** A call that uploads a file. `before` may refuse or limit it at its first byte; `run` gets the complete file. */
export const uploadRoute = <E extends AnyEndpoint>(
  endpoint: E,
  access: Access,
  before: (start: UploadStart<ParsedInputOf<E>>) => Promise<Allowance>,
  run: (call: UploadCall<ParsedInputOf<E>>) => Promise<Reply<OutputOf<E>>>,
): Route => ({ kind: 'upload', endpoint, access, before, run })

/** A call that uploads many files. `before` admits the request at its first file; `run` gets all files. */
export const uploadManyRoute = <E extends AnyEndpoint>(
  endpoint: E,
  access: Access,
  before: (call: { actor: Actor; input: ParsedInputOf<E> }) => Promise<ManyAdmission>,
  run: (call: UploadManyCall<ParsedInputOf<E>>) => Promise<Reply<OutputOf<E>>>,
): Route => ({ kind: 'upload-many', endpoint, access, before, run })

/** A call that reads headers and bytes by itself. */
export const rawRoute = <E extends AnyEndpoint>(
  endpoint: E,
  access: Access,
  headers: Readonly<Record<string, string>>,
  run: (call: RawCall<ParsedInputOf<E>>) => Promise<Reply<OutputOf<E>>>,
): Route => ({ kind: 'raw', endpoint, access, headers, run })

/** A visitor's call, which needs `need` of its link. */
export const guestRoute = <E extends AnyEndpoint>(
  endpoint: E,
  need: VisitorNeed,
  run: (call: GuestCall<ParsedInputOf<E>>) => Promise<Reply<OutputOf<E>>>,
): Route => ({ kind: 'guest', endpoint, need, run })

/** A visitor's call that uploads a file, as `uploadRoute`. */
export const guestUploadRoute = <E extends AnyEndpoint>(
  endpoint: E,
  before: (start: UploadStart<ParsedInputOf<E>, Visitor> & { link: LinkAccount }) => Promise<Allowance>,
  run: (call: GuestUploadCall<ParsedInputOf<E>>) => Promise<Reply<OutputOf<E>>>,
): Route => ({ kind: 'guest-upload', endpoint, need: 'add', before, run })

/** A visitor's call that reads headers and bytes by itself, as `rawRoute`. */
export const guestRawRoute = <E extends AnyEndpoint>(
  endpoint: E,
  headers: Readonly<Record<string, string>>,
  run: (call: GuestRawCall<ParsedInputOf<E>>) => Promise<Reply<OutputOf<E>>>,
): Route => ({ kind: 'guest-raw', endpoint, need: 'add', headers, run })
