/** Every error code of the API with its HTTP status and title. Codes are stable: clients can rely on them. */
export const errorTable = {
  'auth/missing-email': [400, 'This sign-in has no e-mail address.'],
  'auth/invalid-action-code': [400, 'This sign-in link is not valid.'],
  'auth/unauthenticated': [401, 'Sign in first.'],
  'auth/not-a-member': [403, 'Finish your registration first.'],
  'auth/forbidden': [403, 'Your role does not allow this.'],
  'auth/provider-unavailable': [503, 'Sign-in with this provider is not set up here.'],
  'auth/provider-refused': [400, 'The provider did not confirm who you are.'],
  'auth/account-exists': [409, 'This account belongs to someone else here.'],
  'auth/last-provider': [409, 'This is your only way to sign in.'],
  'auth/cross-site': [403, 'This request came from another site.'],
  'request/invalid': [400, 'The request is not valid.'],
  'request/method-not-allowed': [405, 'This address does not support this method.'],
  'request/too-slow': [408, 'The request took too long to arrive.'],
  'request/unsupported-media-type': [415, 'This media type is not accepted here.'],
  'request/too-large': [413, 'The request is too large.'],
  'request/head-too-large': [431, 'The request headers are too large.'],
  'request/rate-limited': [429, 'Too many requests.'],
  'resource/not-found': [404, 'This could not be found.'],
  'resource/conflict': [409, 'This has changed in the meantime.'],
  'invite/used': [410, 'This invite has already been answered.'],
  'invite/expired': [410, 'This invite has expired.'],
  'invite/revoked': [410, 'This invite was revoked.'],
  'invite/other-email': [403, 'This invite is for another e-mail address.'],
  'insight/no-address': [409, 'E-mail needs a confirmed address: add one in your profile.'],
  'member/last-owner': [409, 'An organization needs an owner.'],
  'member/exists': [409, 'This person is already a member.'],
  'user/username-taken': [409, 'This username is taken.'],
  'chatbot/handle-taken': [409, 'Another agent has this address.'],
  'idempotency/mismatch': [422, 'This Idempotency-Key was used for another request.'],
  'idempotency/in-progress': [409, 'A request with this Idempotency-Key is still in progress.'],
  'idempotency/answer-lost': [
    409,
    'This was started before, and its response was lost. Check the current state before you repeat it.',
  ],
  'storage/invalid-root-operation': [400, 'The storage root cannot be used for this.'],
  'storage/no-default-bucket': [500, 'No storage is configured.'],
  'storage/file-type': [400, 'This file type is not supported.'],
  'storage/tus-version': [412, 'Uploads use version 1.0.0 of the tus protocol.'],
  'storage/upload-offset': [409, 'The upload is at a different offset.'],
  'storage/upload-unfinished': [409, 'Bytes of this upload are missing.'],
  'storage/upload-expired': [410, 'This upload has expired.'],
  'storage/upload-locked': [423, 'Another request is writing to this upload.'],
  'storage/uploads-full': [429, 'This organization has too many unfinished uploads.'],
  'egress/url-not-allowed': [
    400,
    'This address is not public, so it is not read. An operator can allow it with SSRF_ALLOWED_HOSTS.',
  ],
  'egress/failed': [502, 'The address could not be read.'],
  'visitor/origin-not-allowed': [403, 'This agent is not available on this site.'],
  'visitor/user-token-refused': [401, 'The user token does not prove who this is.'],
  'plugin/login-refused': [400, 'This connection is no longer valid. Start again.'],
  'channel/refused': [400, 'The service refused the request.'],
  'channel/unavailable': [503, 'The service of this channel cannot be reached.'],
  'quota/exceeded': [402, 'This organization has reached its plan’s limit.'],
  'chat/with-person': [409, 'A person is answering in this conversation now.'],
  'chat/no-person': [409, 'There is no one to hand this conversation over to.'],
  'inbox/taken': [409, 'Another member has this conversation.'],
  'payment/refused': [402, 'The card was declined. Use another one.'],
  'payment/required': [402, 'This agent answers only people who have bought access to it.'],
  'payment/owned': [409, 'You already have this.'],
  'payment/account-needed': [409, 'The organization has no account that can take payments.'],
  'payment/unavailable': [503, 'The payment provider cannot be reached right now.'],
  'chat/room-full': [409, 'This room is full.'],
  'chat/no-voice': [409, 'Voice is turned off for this agent.'],
  'chat/nothing-to-answer': [409, 'There is nothing to answer here.'],
  'version/gated': [409, 'A test set that is required to publish has not passed.'],
  'test/limit': [409, 'This exceeds what an agent can have.'],
  'model/unavailable': [503, 'No model is set up here for this.'],
  'model/key-needed': [400, 'Enter the key again for the new address.'],
  'tool/document-refused': [400, 'This is not a usable OpenAPI document.'],
  'tool/secret-needed': [400, 'Enter the secret again for the new address.'],
  'tool/account-needed': [409, 'This needs an account with the service. Connect it first.'],
  'tool/form-needed': [409, 'A form has to be filled in first.'],
  'tool/login-refused': [400, 'This connection is no longer valid. Start again.'],
  'tool/not-waiting': [409, 'This is no longer waiting for an answer.'],
  'chat/busy': [409, 'The agent is still answering.'],
  'server/unavailable': [503, 'The service is not available right now.'],
  'server/busy': [503, 'The server is too busy right now. Try again in a moment.'],
  'server/error': [500, 'Something went wrong on our side.'],
} as const satisfies Record<string, readonly [status: number, title: string]>;

export type ErrorCode = keyof typeof errorTable;

/** One invalid field of a request, or one that has changed in the meantime. */
export interface FieldError {
  /** Dotted path of the field, `conversationStarters.0`. */
  path: string;
  message: string;
  /** For a 409: the current value. */
  now?: unknown;
}

/** An RFC 9457 problem document as this API sends it. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ErrorCode;
  errors?: FieldError[];
  requestId: string;
}
