-- What each agent is now is the version that it has come to.
INSERT INTO agent_version (organization_id, agent_id, number, settings, created_at)
SELECT organization_id, id, version, jsonb_build_object('customInstructions', custom_instructions,
    'enableKnowledgeBaseMode', enable_knowledge_base_mode, 'appearance', appearance, 'voiceEnabled', voice_enabled,
    'conversationStarters', conversation_starters, 'welcomeMessage', welcome_message, 'fallbackMessage', fallback_message,
    'language', language, 'modelSettings', model_settings), updated_at
  FROM agent ON CONFLICT DO NOTHING;
