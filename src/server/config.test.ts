import { expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

test('without any variable everything has a default, and nothing leaves the machine', () => {
  expect(readConfig({})).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    databaseUrl: undefined,
    role: 'all',
    smtpUrl: undefined,
    providers: {},
    ssrfAllowedHosts: [],
  });
});

test('a wrong value is named', () => {
  expect(() => readConfig({ PORT: 'many' })).toThrow(ConfigError);
  expect(() => readConfig({ PORT: 'many', PUBLIC_URL: 'nowhere' })).toThrow(/PORT.*\n.*PUBLIC_URL/);
});

test('an empty variable counts as not set', () => {
  expect(readConfig({ PORT: '', OPENAI_API_KEY: '' })).toMatchObject({ port: 3000, providers: {} });
});

test('a provider is configured by its key, a compatible server by its address and model', () => {
  expect(
    readConfig({ OPENAI_API_KEY: 'sk', OPENAI_BASE_URL: 'http://localhost:1/v1', OPENAI_MODEL: 'm' })
      .providers,
  ).toEqual({
    openai: { apiKey: 'sk', baseUrl: 'http://localhost:1/v1', model: 'm' },
  });
  expect(
    readConfig({ COMPATIBLE_BASE_URL: 'http://localhost:11434/v1', COMPATIBLE_MODEL: 'llama' }).providers,
  ).toEqual({
    compatible: { apiKey: undefined, baseUrl: 'http://localhost:11434/v1', model: 'llama' },
  });
});

test('Google is offered when both its id and its secret are set; one alone is a mistake', () => {
  expect(readConfig({}).google).toBeUndefined();
  expect(readConfig({ GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' }).google).toEqual({
    clientId: 'id',
    clientSecret: 'secret',
    issuer: 'https://accounts.google.com',
  });
  expect(() => readConfig({ GOOGLE_CLIENT_ID: 'id' })).toThrow('GOOGLE_CLIENT_SECRET');
});
