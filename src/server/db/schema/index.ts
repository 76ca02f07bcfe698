export * from './agent.ts';
export * from './chat.ts';
export * from './idempotency.ts';
export * from './identity.ts';
export * from './knowledge.ts';
export * from './mail.ts';
export * from './organization.ts';
